/* Keys and the sensors of the shoe, debounced by integrators with hysteresis. */
#include "tb_inputs.h"

#include "tb_ring.h"
#include "tb_gate.h"

#define HELD_SCANS (TB_HELD_MS / TB_SCAN_MS)
#define STUCK_SCANS (TB_STUCK_MS / TB_SCAN_MS)

static bool bit(const uint8_t *bits, uint8_t i) { return bits[i / 8] >> (i % 8) & 1; }

static void integrate(uint8_t *level, bool raw, uint8_t samples) {
  if (raw && *level < samples) ++*level;
  if (!raw && *level > 0) --*level;
}

static void key_is(struct tb_board *b, uint8_t i, uint8_t action) {
  b->keys[i].is = action;
  tb_ring_push(b, TB_MSG_KEY, i, action, 0);
}

static void scan_key(struct tb_board *b, uint8_t i, bool raw) {
  struct tb_key *k = &b->keys[i];
  integrate(&k->level, raw, TB_KEY_SAMPLES);
  if (k->is == TB_KEY_ACTION_UP) {
    if (k->level == TB_KEY_SAMPLES) {
      k->scans = 0;
      key_is(b, i, TB_KEY_ACTION_DOWN);
    }
    return;
  }
  if (k->level == 0) {
    key_is(b, i, TB_KEY_ACTION_UP);
    return;
  }
  if (k->is == TB_KEY_ACTION_STUCK) return;
  k->scans++;
  if (k->scans == HELD_SCANS) key_is(b, i, TB_KEY_ACTION_HELD);
  if (k->scans == STUCK_SCANS) key_is(b, i, TB_KEY_ACTION_STUCK);
}

static bool moved(struct tb_sensor *s, bool raw, uint8_t samples) {
  integrate(&s->level, raw, samples);
  bool now = s->on ? s->level > 0 : s->level == samples;
  if (now == s->on) return false;
  s->on = now;
  return true;
}

static void sensor_start(struct tb_sensor *s, bool raw, uint8_t samples) {
  s->on = raw;
  s->level = raw ? samples : 0;
}

void tb_inputs_start(struct tb_board *b, const struct tb_inputs *in) {
  b->scan = TB_SCAN_MS;
  sensor_start(&b->edge, in->covered, TB_EDGE_MS);
  sensor_start(&b->lid, in->lid_open, TB_LID_MS);
  sensor_start(&b->face, in->face_up, TB_EDGE_MS);
  for (uint8_t i = 0; i < TB_KEYS; i++) {
    if (!bit(in->keys, i)) continue;
    b->keys[i].level = TB_KEY_SAMPLES;
    key_is(b, i, TB_KEY_ACTION_STUCK); /* nobody pressed it: it was down before anybody looked */
  }
}

static void edge_tick(struct tb_board *b, bool covered) {
  if (b->edge_for < 0xFFFF) b->edge_for++;
  if (moved(&b->edge, covered, TB_EDGE_MS)) {
    tb_ring_push(b, TB_MSG_EDGE, b->edge.on, (uint8_t)(b->edge_for >> 8), (uint8_t)b->edge_for);
    b->edge_for = 0;
    b->jammed = false;
  } else if (b->edge.on && b->edge_for == TB_JAM_MS) {
    b->jammed = true;
    tb_ring_push(b, TB_MSG_JAM, 0, 0, 0);
  }
}

bool tb_scan_due(const struct tb_board *b) { return b->scan == 1; }

void tb_inputs_tick(struct tb_board *b, const struct tb_inputs *in) {
  if (--b->scan == 0) {
    b->scan = TB_SCAN_MS;
    for (uint8_t i = 0; i < TB_KEYS; i++) scan_key(b, i, bit(in->keys, i));
  }
  edge_tick(b, in->covered);
  if (moved(&b->lid, in->lid_open, TB_LID_MS)) {
    tb_ring_push(b, TB_MSG_LID, b->lid.on, 0, 0);
    if (b->lid.on) tb_gate_lid_opened(b);
  }
  if (moved(&b->face, in->face_up, TB_EDGE_MS)) tb_ring_push(b, TB_MSG_FACE, b->face.on, 0, 0);
}
