/* The ring of events: kept until acknowledged, repeated in order, never overwritten. */
#include "tb_ring.h"

#include "tb_line.h"

static uint8_t data_length(uint8_t type) {
  switch (type) {
    case TB_MSG_KEY: return TB_LEN_KEY - TB_LEN_JAM;
    case TB_MSG_EDGE: return TB_LEN_EDGE - TB_LEN_JAM;
    case TB_MSG_LID: return TB_LEN_LID - TB_LEN_JAM;
    case TB_MSG_FACE: return TB_LEN_FACE - TB_LEN_JAM;
    case TB_MSG_GATE_SHUT: return TB_LEN_GATE_SHUT - TB_LEN_JAM;
    case TB_MSG_LOST: return TB_LEN_LOST - TB_LEN_JAM;
    default: return 0; /* a jam has nothing of its own */
  }
}

static struct tb_event *event_at(struct tb_ring *r, uint8_t i) { return &r->events[(uint8_t)(r->first + i) % TB_RING]; }

static void append(struct tb_board *b, uint8_t type, uint8_t d0, uint8_t d1, uint8_t d2) {
  struct tb_ring *r = &b->ring;
  if (r->count == 0) r->repeat_in_ms = TB_REPEAT_MS;
  struct tb_event *e = event_at(r, r->count++);
  e->type = type;
  e->at = b->clock_ms;
  e->data[0] = d0;
  e->data[1] = d1;
  e->data[2] = d2;
  r->newest++;
}

void tb_ring_push(struct tb_board *b, uint8_t type, uint8_t d0, uint8_t d1, uint8_t d2) {
  struct tb_ring *r = &b->ring;
  if (r->lost || r->count == TB_RING) { /* what follows a gap must stand behind the mark of the gap */
    if (r->lost < 0xFFFF) r->lost++;
    if (r->lost_total < 0xFFFF) r->lost_total++;
    return;
  }
  append(b, type, d0, d1, d2);
}

uint16_t tb_ring_oldest(const struct tb_ring *r) { return (uint16_t)(r->newest - r->count + 1); }

void tb_ring_acknowledge(struct tb_board *b, uint8_t boot, uint16_t number) {
  struct tb_ring *r = &b->ring;
  uint16_t n = (uint16_t)(number - tb_ring_oldest(r) + 1);
  if (boot != (uint8_t)b->identity.boots || n == 0 || n > r->count) return;
  r->first = (uint8_t)((r->first + n) % TB_RING);
  r->count = (uint8_t)(r->count - n);
  r->sent = r->sent > n ? (uint8_t)(r->sent - n) : 0;
  r->repeat_in_ms = TB_REPEAT_MS;
}

static bool send_event(struct tb_board *b, uint8_t i) {
  struct tb_ring *r = &b->ring;
  const struct tb_event *e = event_at(r, i);
  uint8_t payload[TB_LEN_JAM + TB_EVENT_DATA];
  uint8_t *p = payload;
  *p++ = (uint8_t)b->identity.boots;
  p = tb_wire_put16(p, (uint16_t)(tb_ring_oldest(r) + i));
  p = tb_wire_put32(p, e->at);
  for (uint8_t k = 0; k < TB_EVENT_DATA; k++) p[k] = e->data[k];
  return tb_line_send_frame(b, e->type, 0, payload, (uint8_t)(TB_LEN_JAM + data_length(e->type)), TB_MAX_WIRE);
}

void tb_ring_tick(struct tb_board *b) {
  struct tb_ring *r = &b->ring;
  if (r->lost && r->count < TB_RING) {
    append(b, TB_MSG_LOST, (uint8_t)(r->lost >> 8), (uint8_t)r->lost, 0);
    r->lost = 0;
  }
  if (r->count == 0 || tb_line_is_host_lost(b)) return;
  if (--r->repeat_in_ms == 0) {
    r->repeat_in_ms = TB_REPEAT_MS;
    r->sent = 0;
  }
  while (r->sent < r->count && send_event(b, r->sent)) r->sent++;
}
