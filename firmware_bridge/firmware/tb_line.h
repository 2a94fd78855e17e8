/* Frames to the host, as far as the line has room for them. */
#ifndef TB_LINE_H
#define TB_LINE_H

#include "tb_state.h"

/* False when the line is too full to take the whole frame and `spare` bytes after it. */
bool tb_line_send_frame(struct tb_board *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t length,
                        uint8_t spare);
bool tb_line_take_byte(struct tb_board *b, uint8_t *byte);
bool tb_line_is_host_lost(const struct tb_board *b);

#endif
