/* The conversation: frames in, answers out, one millisecond after the other. */
#include "tb_board.h"

#include <string.h>

#include "tb_gate.h"
#include "tb_lamps.h"
#include "tb_ring.h"

static bool send_answer(struct tb_board *b, uint8_t seq, uint8_t type, const uint8_t *payload, uint8_t length) {
  return tb_line_send_frame(b, type, seq, payload, length, 0);
}

static void send_hello(struct tb_board *b, uint8_t seq) {
  const struct tb_identity *id = &b->identity;
  uint8_t payload[TB_LEN_HELLO];
  uint8_t *p = payload;
  *p++ = TB_PROTOCOL;
  *p++ = id->cause;
  p = tb_wire_put16(p, id->boots);
  *p++ = id->flags;
  *p++ = TB_PROTOCOL;
  p = tb_wire_put32(p, TB_SCHEMA);
  p = tb_wire_put16(p, tb_ring_oldest(&b->ring));
  p = tb_wire_put16(p, id->capabilities);
  *p++ = TB_KEYS;
  *p++ = TB_LAMPS;
  *p++ = TB_RING;
  memcpy(p, id->firmware, sizeof id->firmware);
  p = tb_wire_put32(p + sizeof id->firmware, id->build);
  memcpy(p, id->serial, sizeof id->serial);
  send_answer(b, seq, TB_MSG_HELLO, payload, sizeof payload);
}

static void send_nak(struct tb_board *b, uint8_t seq, uint8_t reason, uint8_t type) {
  uint8_t payload[TB_LEN_NAK] = {reason, type};
  tb_wire_put16(payload + TB_AT_NAK_BAD_FRAMES, b->bad_frames);
  send_answer(b, seq, TB_MSG_NAK, payload, sizeof payload);
}

static uint8_t write_pong(const struct tb_board *b, uint8_t *p) {
  p = tb_wire_put16(p, b->identity.boots);
  p = tb_wire_put32(p, b->clock_ms);
  p = tb_wire_put16(p, b->overruns);
  p = tb_wire_put16(p, b->bad_frames);
  p = tb_wire_put16(p, b->ring.lost_total);
  *p++ = b->lamps.generation;
  *p = b->gate.open;
  return TB_LEN_PONG;
}

static uint8_t write_state(const struct tb_board *b, uint8_t *p) {
  memset(p, 0, TB_LEN_STATE);
  for (uint8_t i = 0; i < TB_KEYS; i++) {
    uint8_t mask = (uint8_t)(1 << i % 8);
    if (b->keys[i].action != TB_KEY_ACTION_UP) p[TB_AT_STATE_DOWN + i / 8] |= mask;
    if (b->keys[i].action == TB_KEY_ACTION_STUCK) p[TB_AT_STATE_STUCK + i / 8] |= mask;
  }
  uint8_t sensors = 0;
  if (b->edge.on) sensors |= TB_SENSORS_COVERED;
  if (b->lid.on) sensors |= TB_SENSORS_LID_OPEN;
  if (b->face.on) sensors |= TB_SENSORS_FACE_UP;
  if (b->jammed) sensors |= TB_SENSORS_JAMMED;
  p[TB_AT_STATE_SENSORS] = sensors;
  p[TB_AT_STATE_OPEN] = b->gate.open;
  tb_wire_put16(p + TB_AT_STATE_LEFT, b->gate.lease_ms);
  p[TB_AT_STATE_GENERATION] = b->lamps.generation;
  tb_wire_put16(p + TB_AT_STATE_NEWEST_EVENT, b->ring.newest);
  return TB_LEN_STATE;
}

/* The payload length a message of the host must have, or 0xFF for a type the board does not take. */
static uint8_t expected_length(uint8_t type) {
  switch (type) {
    case TB_MSG_EVENT_ACK: return TB_LEN_EVENT_ACK;
    case TB_MSG_PING: return TB_LEN_PING;
    case TB_MSG_GATE: return TB_LEN_GATE;
    case TB_MSG_IDENTIFY: return TB_LEN_IDENTIFY;
    case TB_MSG_LAMPS: return TB_LEN_LAMPS;
    case TB_MSG_READ_STATE: return TB_LEN_READ_STATE;
    default: return 0xFF;
  }
}

/* Does what a request asks and writes the answer's payload; 0 when a value is out of range (no answer is empty). */
static uint8_t answer_request(struct tb_board *b, uint8_t type, const uint8_t *in, uint8_t *out) {
  switch (type) {
    case TB_MSG_PING: return write_pong(b, out);
    case TB_MSG_READ_STATE: return write_state(b, out);
    case TB_MSG_GATE: {
      uint8_t on = in[TB_AT_GATE_ON];
      uint16_t lease = tb_wire_get16(in + TB_AT_GATE_LEASE);
      if (on > 1 || lease > TB_LEASE_MAX_MS || (on == 0) != (lease == 0)) return 0;
      out[TB_AT_GATE_ANSWER_VERDICT] = tb_gate_request(b, on, lease);
      out[TB_AT_GATE_ANSWER_OPEN] = b->gate.open;
      tb_wire_put16(out + TB_AT_GATE_ANSWER_LEFT, b->gate.lease_ms);
      return TB_LEN_GATE_ANSWER;
    }
    default: /* lamps */
      if (in[TB_AT_LAMPS_GENERATION] == 0) return 0;
      tb_lamps_set(b, in[TB_AT_LAMPS_GENERATION], in + TB_AT_LAMPS_STATES);
      out[0] = b->lamps.generation;
      return TB_LEN_LAMPS_ANSWER;
  }
}

static void handle_request(struct tb_board *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint16_t crc) {
  if (type == TB_MSG_IDENTIFY) {
    b->answer_length = 0;
    send_hello(b, seq);
    return;
  }
  if (b->answer_length == 0 || b->answer_seq != seq || b->answer_crc != crc) {
    b->answer_length = answer_request(b, type, payload, b->answer);
    b->answer_seq = seq;
    b->answer_crc = crc;
  }
  if (b->answer_length == 0) {
    send_nak(b, seq, TB_REFUSAL_BAD_VALUE, type);
    return;
  }
  send_answer(b, seq, type | 0x80, b->answer, b->answer_length);
}

static void handle_frame(struct tb_board *b, const uint8_t *body, uint8_t length) {
  uint8_t type = body[1], seq = body[2];
  const uint8_t *payload = body + TB_HEADER_BYTES;
  if (body[0] != TB_PROTOCOL) {
    send_hello(b, seq);
    return;
  }
  if (type == TB_MSG_NAK) return; /* a refusal is never refused: two ends would do nothing else */
  uint8_t expected = expected_length(type);
  if (expected == 0xFF) {
    send_nak(b, seq, TB_REFUSAL_UNKNOWN_TYPE, type);
    return;
  }
  if (length - TB_HEADER_BYTES != expected) {
    send_nak(b, seq, TB_REFUSAL_BAD_LENGTH, type);
    return;
  }
  if (tb_line_is_host_lost(b) && type != TB_MSG_IDENTIFY) { /* said to a board that no longer is, or said long ago */
    send_nak(b, seq, TB_REFUSAL_NO_SESSION, type);
    return;
  }
  b->host_silent_ms = 0;
  if (type == TB_MSG_EVENT_ACK)
    tb_ring_acknowledge(b, payload[TB_AT_EVENT_ACK_BOOT], tb_wire_get16(payload + TB_AT_EVENT_ACK_NUMBER));
  else
    handle_request(b, type, seq, payload, tb_wire_get16(body + length));
}

void tb_board_receive_byte(struct tb_board *b, uint8_t byte) {
  uint8_t length;
  switch (tb_wire_deframe(&b->in, byte, &length)) {
    case TB_PIECE_NONE: break;
    case TB_PIECE_FRAME: handle_frame(b, b->in.body, length); break;
    case TB_PIECE_NOISE:
      b->bad_frames++;
      send_nak(b, TB_NO_SEQ, TB_REFUSAL_BAD_FRAME, 0);
      break;
  }
}

void tb_board_start(struct tb_board *b, const struct tb_identity *identity, const struct tb_inputs *in) {
  memset(b, 0, sizeof *b);
  b->identity = *identity;
  b->host_silent_ms = TB_HOST_SILENT_MS;
  b->lamps.phase = 0xFF;
  tb_inputs_start(b, in);
  send_hello(b, 0);
}

void tb_board_tick(struct tb_board *b, const struct tb_inputs *in) {
  b->clock_ms++;
  if (b->host_silent_ms < TB_HOST_SILENT_MS && ++b->host_silent_ms == TB_HOST_SILENT_MS) tb_lamps_set(b, 0, NULL);
  tb_gate_tick(b);
  tb_inputs_tick(b, in);
  tb_ring_tick(b);
  tb_lamps_tick(b);
}
