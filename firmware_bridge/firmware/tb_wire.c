#include "tb_wire.h"

uint16_t tb_wire_crc16(const uint8_t *data, uint8_t length) {
  uint16_t crc = 0xFFFF;
  while (length--) {
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= *data++;
    crc ^= (uint16_t)((crc & 0xFF) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xFF) << 5);
  }
  return crc;
}

uint8_t tb_wire_cobs_encode(const uint8_t *data, uint8_t length, uint8_t *out) {
  uint8_t code_at = 0, at = 1;
  for (uint8_t i = 0; i < length; i++) {
    if (data[i]) {
      out[at++] = data[i];
    } else {
      out[code_at] = (uint8_t)(at - code_at);
      code_at = at++;
    }
  }
  out[code_at] = (uint8_t)(at - code_at);
  return at;
}

uint8_t tb_wire_cobs_decode(uint8_t *data, uint8_t length) {
  uint8_t from = 0, to = 0;
  while (from < length) {
    uint8_t code = data[from++];
    if (code == 0 || code - 1 > length - from) return 0;
    while (--code) {
      if (data[from] == 0) return 0;
      data[to++] = data[from++];
    }
    if (from < length) data[to++] = 0;
  }
  return to;
}

enum tb_piece tb_wire_deframe(struct tb_deframer *d, uint8_t byte, uint8_t *length) {
  if (byte != 0) {
    if (d->length < sizeof d->body)
      d->body[d->length++] = byte;
    else
      d->overrun = true;
    return TB_PIECE_NONE;
  }
  uint8_t held = d->length;
  bool overrun = d->overrun;
  d->length = 0;
  d->overrun = false;
  if (held == 0) return TB_PIECE_NONE;
  if (overrun) return TB_PIECE_NOISE;
  uint8_t n = tb_wire_cobs_decode(d->body, held);
  if (n < TB_HEADER_BYTES + TB_CRC_BYTES) return TB_PIECE_NOISE;
  n = (uint8_t)(n - TB_CRC_BYTES);
  if (tb_wire_crc16(d->body, n) != (uint16_t)((uint16_t)d->body[n] << 8 | d->body[n + 1])) return TB_PIECE_NOISE;
  *length = n;
  return TB_PIECE_FRAME;
}
