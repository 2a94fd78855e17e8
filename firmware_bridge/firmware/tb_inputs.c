/* Keys and the sensors of the shoe, debounced by integrators with hysteresis. */
#include "tb_inputs.h"

#include "tb_gate.h"
#include "tb_ring.h"

#define HELD_SCANS (TB_HELD_MS / TB_SCAN_MS)
#define STUCK_SCANS (TB_STUCK_MS / TB_SCAN_MS)

static bool is_bit_set(const uint8_t *bits, uint8_t i) { return bits[i / 8] >> (i % 8) & 1; }

static void integrate(uint8_t *level, bool raw, uint8_t samples) {
  if (raw && *level < samples) ++*level;
  if (!raw && *level > 0) --*level;
}

static void set_key_action(struct tb_board *b, uint8_t i, uint8_t action) {
  b->keys[i].action = action;
  tb_ring_push(b, TB_MSG_KEY, i, action, 0);
}

static void scan_key(struct tb_board *b, uint8_t i, bool raw) {
  struct tb_key *k = &b->keys[i];
  integrate(&k->level, raw, TB_KEY_SAMPLES);
  if (k->action == TB_KEY_ACTION_UP) {
    if (k->level == TB_KEY_SAMPLES) {
      k->scans = 0;
      set_key_action(b, i, TB_KEY_ACTION_DOWN);
    }
    return;
  }
  if (k->level == 0) {
    set_key_action(b, i, TB_KEY_ACTION_UP);
    return;
  }
  if (k->action == TB_KEY_ACTION_STUCK) return;
  k->scans++;
  if (k->scans == HELD_SCANS) set_key_action(b, i, TB_KEY_ACTION_HELD);
  if (k->scans == STUCK_SCANS) set_key_action(b, i, TB_KEY_ACTION_STUCK);
}

static bool debounce_sensor(struct tb_sensor *s, bool raw, uint8_t samples) {
  integrate(&s->level, raw, samples);
  bool now = s->on ? s->level > 0 : s->level == samples;
  if (now == s->on) return false;
  s->on = now;
  return true;
}

static void start_sensor(struct tb_sensor *s, bool raw, uint8_t samples) {
  s->on = raw;
  s->level = raw ? samples : 0;
}

void tb_inputs_start(struct tb_board *b, const struct tb_inputs *in) {
  b->next_scan_ms = TB_SCAN_MS;
  start_sensor(&b->edge, in->covered, TB_EDGE_MS);
  start_sensor(&b->lid, in->lid_open, TB_LID_MS);
  start_sensor(&b->face, in->face_up, TB_EDGE_MS);
  for (uint8_t i = 0; i < TB_KEYS; i++) {
    if (!is_bit_set(in->keys, i)) continue;
    b->keys[i].level = TB_KEY_SAMPLES;
    set_key_action(b, i, TB_KEY_ACTION_STUCK); /* nobody pressed it: it was down before anybody looked */
  }
}

static void tick_edge(struct tb_board *b, bool covered) {
  if (b->edge_stable_ms < 0xFFFF) b->edge_stable_ms++;
  if (debounce_sensor(&b->edge, covered, TB_EDGE_MS)) {
    tb_ring_push(b, TB_MSG_EDGE, b->edge.on, (uint8_t)(b->edge_stable_ms >> 8), (uint8_t)b->edge_stable_ms);
    b->edge_stable_ms = 0;
    b->jammed = false;
  } else if (b->edge.on && b->edge_stable_ms == TB_JAM_MS) {
    b->jammed = true;
    tb_ring_push(b, TB_MSG_JAM, 0, 0, 0);
  }
}

bool tb_inputs_is_scan_due(const struct tb_board *b) { return b->next_scan_ms == 1; }

void tb_inputs_tick(struct tb_board *b, const struct tb_inputs *in) {
  if (--b->next_scan_ms == 0) {
    b->next_scan_ms = TB_SCAN_MS;
    for (uint8_t i = 0; i < TB_KEYS; i++) scan_key(b, i, is_bit_set(in->keys, i));
  }
  tick_edge(b, in->covered);
  if (debounce_sensor(&b->lid, in->lid_open, TB_LID_MS)) {
    tb_ring_push(b, TB_MSG_LID, b->lid.on, 0, 0);
    if (b->lid.on) tb_gate_on_lid_opened(b);
  }
  if (debounce_sensor(&b->face, in->face_up, TB_EDGE_MS)) tb_ring_push(b, TB_MSG_FACE, b->face.on, 0, 0);
}
