/* Frames to the host, as far as the line has room for them. */
#ifndef TB_LINE_H
#define TB_LINE_H

#include "tb_state.h"

/* False when the line is too full to take the whole frame and `spare` bytes after it. */
bool tb_send(struct tb_board *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t length, uint8_t spare);
bool tb_transmit(struct tb_board *b, uint8_t *byte);
bool tb_host_lost(const struct tb_board *b);

static inline uint8_t *tb_put16(uint8_t *p, uint16_t v) {
  *p++ = (uint8_t)(v >> 8);
  *p++ = (uint8_t)v;
  return p;
}

static inline uint8_t *tb_put32(uint8_t *p, uint32_t v) {
  return tb_put16(tb_put16(p, (uint16_t)(v >> 16)), (uint16_t)v);
}

static inline uint16_t tb_get16(const uint8_t *p) { return (uint16_t)((uint16_t)p[0] << 8 | p[1]); }

#endif
