/* libFuzzer harness of the board core. The input is a script: what arrives on the line, what happens at the pins, how
 * time passes. After every step the things that must always hold are checked, and everything the board says must be
 * whole frames of known types. Built with the address and undefined-behaviour sanitizers by `make fuzz`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb_board.h"

#define REQUIRE(what) \
  do { \
    if (!(what)) { \
      fprintf(stderr, "broken: %s (line %d)\n", #what, __LINE__); \
      abort(); \
    } \
  } while (0)

static struct tb_board board;
static struct tb_inputs inputs;
static struct tb_deframer host;
static unsigned open_ms, silent_ms;

static void check_invariants(void) {
  const struct tb_gate *g = &board.gate;
  REQUIRE(!g->open || (g->lease_ms > 0 && g->lease_ms <= TB_LEASE_MAX_MS && g->cooldown_ms == 0 && !board.lid.on));
  REQUIRE(g->on_ms < TB_GATE_MAX_ON_MS || !g->open);
  REQUIRE(board.ring.count <= TB_RING && board.ring.sent <= board.ring.count && board.ring.first < TB_RING);
  REQUIRE(board.next_scan_ms >= 1 && board.next_scan_ms <= TB_SCAN_MS);
  for (unsigned i = 0; i < TB_KEYS; i++) REQUIRE(board.keys[i].level <= TB_KEY_SAMPLES);
  for (unsigned i = 0; i < TB_LAMP_BYTES && tb_line_is_host_lost(&board); i++)
    REQUIRE(board.lamps.lit[i] == 0 || board.lamps.lit[i] == 0xFF || board.lamps.phase & 0x80);
}

static bool is_known_type(uint8_t type) {
  return type == TB_MSG_HELLO || type == TB_MSG_NAK || (type >= TB_MSG_KEY && type <= TB_MSG_LOST) ||
         type == TB_MSG_PONG || type == TB_MSG_GATE_ANSWER || type == TB_MSG_LAMPS_ANSWER || type == TB_MSG_STATE;
}

static void read_board_output(void) {
  uint8_t byte, length;
  while (tb_line_take_byte(&board, &byte)) {
    switch (tb_wire_deframe(&host, byte, &length)) {
      case TB_PIECE_NONE: break;
      case TB_PIECE_NOISE: REQUIRE(!"a whole frame"); break;
      case TB_PIECE_FRAME: REQUIRE(host.body[0] == TB_PROTOCOL && is_known_type(host.body[1])); break;
    }
  }
}

static void tick(void) {
  bool was_open = board.gate.open;
  tb_board_tick(&board, &inputs);
  open_ms = was_open ? open_ms + 1 : 0;
  silent_ms++;
  REQUIRE(open_ms <= TB_GATE_MAX_ON_MS);
  REQUIRE(!board.gate.open || silent_ms < TB_LEASE_MAX_MS);
  check_invariants();
}

static void send_frame(const uint8_t *payload, uint8_t length) {
  uint8_t body[TB_MAX_BODY], wire[TB_MAX_WIRE];
  body[0] = TB_PROTOCOL;
  memcpy(body + 1, payload, length);
  tb_wire_put16(body + 1 + length, tb_wire_crc16(body, (uint8_t)(1 + length)));
  uint8_t n = tb_wire_cobs_encode(body, (uint8_t)(3 + length), wire);
  for (uint8_t i = 0; i < n; i++) tb_board_receive_byte(&board, wire[i]);
  tb_board_receive_byte(&board, 0);
  silent_ms = 0;
  check_invariants();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = data + size;
  struct tb_identity id = {.cause = 1, .boots = 1, .capabilities = 15};
  memset(&inputs, 0, sizeof inputs);
  memset(&host, 0, sizeof host);
  open_ms = silent_ms = 0;
  if (size > 7) memcpy(inputs.keys, data, TB_KEY_BYTES);
  tb_board_start(&board, &id, &inputs);
  while (data < end) {
    uint8_t op = *data++;
    switch (op & 0xE0) {
      case 0xE0: /* time passes, 1 to 32 ticks of 1 or 40 ms */
        for (int i = (op & 0x1F) * (op & 1 ? 1 : 40); i >= 0; i--) tick();
        break;
      case 0xC0: /* the pins change */
        inputs.covered = op & 1;
        inputs.lid_open = op & 2;
        inputs.face_up = op & 4;
        if (op & 8 && data < end) {
          uint8_t key = *data++ % TB_KEYS;
          inputs.keys[key / 8] ^= (uint8_t)(1 << key % 8);
        }
        break;
      case 0xA0: /* the line is read */
        read_board_output();
        break;
      case 0x80: { /* a sound frame with any content */
        uint8_t length = (uint8_t)(op & 0x1F) + 2;
        if (length > end - data) return 0;
        send_frame(data, length);
        data += length;
        break;
      }
      default: /* raw bytes, 0 to 127 of them */
        for (uint8_t i = op; i && data < end; i--) {
          tb_board_receive_byte(&board, *data++);
          silent_ms = 0;
        }
        check_invariants();
    }
  }
  read_board_output();
  return 0;
}
