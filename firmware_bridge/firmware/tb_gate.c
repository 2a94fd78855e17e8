/* The gate: a lease that runs out, a longest on-time, and shut while the lid is open. */
#include "tb_gate.h"

#include "tb_ring.h"

static void shut_gate(struct tb_board *b, uint8_t why) {
  b->gate.open = false;
  b->gate.lease_ms = 0;
  tb_ring_push(b, TB_MSG_GATE_SHUT, why, 0, 0);
}

uint8_t tb_gate_request(struct tb_board *b, bool on, uint16_t lease) {
  struct tb_gate *g = &b->gate;
  if (on && g->cooldown_ms) return TB_VERDICT_COOLING;
  if (on && b->lid.on) return TB_VERDICT_LID_OPEN;
  g->open = on;
  g->lease_ms = on ? lease : 0;
  return TB_VERDICT_DONE;
}

void tb_gate_tick(struct tb_board *b) {
  struct tb_gate *g = &b->gate;
  if (!g->open) {
    if (g->on_ms) g->on_ms--;
    if (g->cooldown_ms) g->cooldown_ms--;
    return;
  }
  g->on_ms++;
  g->lease_ms--;
  if (g->on_ms >= TB_GATE_MAX_ON_MS) {
    g->cooldown_ms = TB_GATE_COOL_MS;
    shut_gate(b, TB_SHUT_TOO_LONG);
  } else if (g->lease_ms == 0) {
    shut_gate(b, TB_SHUT_LEASE_ENDED);
  }
}

void tb_gate_on_lid_opened(struct tb_board *b) {
  if (b->gate.open) shut_gate(b, TB_SHUT_LID_OPENED);
}
