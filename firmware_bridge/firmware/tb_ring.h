/* The ring of events. */
#ifndef TB_RING_H
#define TB_RING_H

#include "tb_state.h"

void tb_ring_push(struct tb_board *b, uint8_t type, uint8_t d0, uint8_t d1, uint8_t d2);
void tb_ring_acknowledge(struct tb_board *b, uint8_t boot, uint16_t number);
uint16_t tb_ring_oldest(const struct tb_ring *r);
void tb_ring_tick(struct tb_board *b);

#endif
