/* Frames of TB/1: COBS, CRC-16/CCITT-FALSE, one zero byte between frames. No meaning, no time. */
#ifndef TB_WIRE_H
#define TB_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "tb_messages.h"

#define TB_HEADER_BYTES 3
#define TB_CRC_BYTES 2
#define TB_MAX_PAYLOAD_BYTES (TB_MAX_BODY - TB_HEADER_BYTES - TB_CRC_BYTES)

/* Numbers of a payload, the high byte first. */
static inline uint8_t *tb_wire_put16(uint8_t *p, uint16_t v) {
  *p++ = (uint8_t)(v >> 8);
  *p++ = (uint8_t)v;
  return p;
}

static inline uint8_t *tb_wire_put32(uint8_t *p, uint32_t v) {
  return tb_wire_put16(tb_wire_put16(p, (uint16_t)(v >> 16)), (uint16_t)v);
}

static inline uint16_t tb_wire_get16(const uint8_t *p) { return (uint16_t)((uint16_t)p[0] << 8 | p[1]); }

uint16_t tb_wire_crc16(const uint8_t *data, uint8_t length);

/* Stuffs `length` (below 254) bytes into `out`, which holds `length + 1`; returns how many were written. */
uint8_t tb_wire_cobs_encode(const uint8_t *data, uint8_t length, uint8_t *out);

/* Undoes the stuffing in place; returns the length, or 0 when the bytes are not COBS. */
uint8_t tb_wire_cobs_decode(uint8_t *data, uint8_t length);

/* Collects the bytes of one frame. */
struct tb_deframer {
  uint8_t body[TB_MAX_WIRE - 1];
  uint8_t length;
  bool overrun;
};

enum tb_piece { TB_PIECE_NONE, TB_PIECE_FRAME, TB_PIECE_NOISE };

/* Takes one byte. On TB_PIECE_FRAME `body` holds version, type, seq and payload and `*length` their count; the frame
   stays valid until the next byte. On TB_PIECE_NOISE something that was no frame has been dropped. */
enum tb_piece tb_wire_deframe(struct tb_deframer *d, uint8_t byte, uint8_t *length);

#endif
