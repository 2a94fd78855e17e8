/* The lamps: the host says once what each shows, the board blinks by itself. */
#include "tb_lamps.h"

#define BLINK_CYCLE_MS 1000
#define SLOW_ON_MS 500
#define FAST_BLINK_MS 125
#define LINK_LOST_FLASH_MS 100

#define PHASE_SLOW 1
#define PHASE_FAST 2
#define PHASE_LINK_LOST_FLASH 4
#define PHASE_STALE 0x80

static uint8_t phase_at(uint16_t ms) {
  uint8_t phase = 0;
  if (ms < SLOW_ON_MS) phase |= PHASE_SLOW;
  if ((ms / FAST_BLINK_MS) % 2 == 0) phase |= PHASE_FAST;
  if (ms < LINK_LOST_FLASH_MS) phase |= PHASE_LINK_LOST_FLASH;
  return phase;
}

static bool is_lit(uint8_t state, uint8_t phase) {
  switch (state) {
    case TB_LAMP_ON: return true;
    case TB_LAMP_SLOW: return phase & PHASE_SLOW;
    case TB_LAMP_FAST: return phase & PHASE_FAST;
    default: return false;
  }
}

void tb_lamps_set(struct tb_board *b, uint8_t generation, const uint8_t *states) {
  b->lamps.generation = generation;
  for (uint8_t i = 0; i < TB_LAMP_STATE_BYTES; i++) b->lamps.states[i] = states ? states[i] : 0;
  b->lamps.phase = PHASE_STALE;
}

void tb_lamps_tick(struct tb_board *b) {
  struct tb_lamps *l = &b->lamps;
  if (++l->blink_ms == BLINK_CYCLE_MS) l->blink_ms = 0;
  uint8_t phase = phase_at(l->blink_ms);
  if (phase == l->phase) return;
  l->phase = phase;
  for (uint8_t i = 0; i < TB_LAMP_BYTES; i++) {
    uint8_t bits = 0;
    if (l->generation == 0) {
      bits = phase & PHASE_LINK_LOST_FLASH ? 0xFF : 0; /* link lost: every lamp winks once a second */
    } else {
      for (uint8_t k = 0; k < 8; k++)
        if (is_lit(l->states[2 * i + k / 4] >> (k % 4 * 2) & 3, phase)) bits |= (uint8_t)(1 << k);
    }
    l->lit[i] = bits;
  }
}
