/* The lamps. */
#ifndef TB_LAMPS_H
#define TB_LAMPS_H

#include "tb_state.h"

void tb_lamps_set(struct tb_board *b, uint8_t generation, const uint8_t *states);
void tb_lamps_tick(struct tb_board *b);

#endif
