/* What waits for the line to the host. */
#include "tb_line.h"

#include <string.h>

bool tb_line_send_frame(struct tb_board *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t length,
                        uint8_t spare) {
  uint8_t body[TB_MAX_BODY], wire[TB_MAX_BODY + 1];
  body[0] = TB_PROTOCOL;
  body[1] = type;
  body[2] = seq;
  memcpy(body + TB_HEADER_BYTES, payload, length);
  uint8_t n = (uint8_t)(TB_HEADER_BYTES + length);
  if ((uint16_t)(TB_OUT_BYTES - 1 - b->out_count) < (uint16_t)(n + TB_CRC_BYTES + 2 + spare)) return false;
  tb_wire_put16(body + n, tb_wire_crc16(body, n));
  n = tb_wire_cobs_encode(body, (uint8_t)(n + TB_CRC_BYTES), wire);
  for (uint8_t i = 0; i < n; i++) b->out[(uint8_t)(b->out_first + b->out_count++)] = wire[i];
  b->out[(uint8_t)(b->out_first + b->out_count++)] = 0;
  return true;
}

bool tb_line_take_byte(struct tb_board *b, uint8_t *byte) {
  if (b->out_count == 0) return false;
  *byte = b->out[b->out_first++];
  b->out_count--;
  return true;
}

bool tb_line_is_host_lost(const struct tb_board *b) { return b->host_silent_ms >= TB_HOST_SILENT_MS; }
