/* Keys and sensors. */
#ifndef TB_INPUTS_H
#define TB_INPUTS_H

#include "tb_state.h"

void tb_inputs_start(struct tb_board *b, const struct tb_inputs *in);
void tb_inputs_tick(struct tb_board *b, const struct tb_inputs *in);
bool tb_inputs_is_scan_due(const struct tb_board *b);

#endif
