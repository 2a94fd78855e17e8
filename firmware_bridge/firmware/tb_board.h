/* The board's side of TB/1 (docs/wire.md): bytes and input levels in, bytes and output levels out.
 *
 * The core owns no pin, no timer and no UART. A HAL calls tb_board_start once, tb_board_receive_byte for every byte of
 * the line, tb_board_tick every millisecond with the levels of the inputs, and takes bytes from tb_line_take_byte; it
 * drives the gate from `gate.open` and the lamps from `lamps.lit`. Everything is in one struct; nothing is allocated.
 *
 * Its parts call downwards only: board > inputs > gate > ring > line > wire, and board > lamps. */
#ifndef TB_BOARD_H
#define TB_BOARD_H

#include "tb_inputs.h"
#include "tb_line.h"
#include "tb_state.h"

void tb_board_start(struct tb_board *b, const struct tb_identity *identity, const struct tb_inputs *in);
void tb_board_receive_byte(struct tb_board *b, uint8_t byte);
/* `in->keys` is looked at only when tb_inputs_is_scan_due says so. */
void tb_board_tick(struct tb_board *b, const struct tb_inputs *in);

#endif
