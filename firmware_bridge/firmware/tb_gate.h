/* The gate. */
#ifndef TB_GATE_H
#define TB_GATE_H

#include "tb_state.h"

/* Returns TB_VERDICT_*. */
uint8_t tb_gate_request(struct tb_board *b, bool on, uint16_t lease);
void tb_gate_tick(struct tb_board *b);
void tb_gate_on_lid_opened(struct tb_board *b);

#endif
