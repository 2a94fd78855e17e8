/* The same core as a shared library: every call a plain function, time handed in. For tests and for a host without
   a board. */
#include <stdlib.h>
#include <string.h>

#include "tb_board.h"

struct tb_native {
  struct tb_board board;
  struct tb_inputs inputs;
};

size_t tb_native_size(void) { return sizeof(struct tb_native); }

void tb_native_start(struct tb_native *n, uint8_t cause, uint16_t boots) {
  struct tb_identity id = {.cause = cause, .boots = boots, .firmware = {1, 0, 0}};
  id.capabilities = TB_CAPABILITY_KEYS | TB_CAPABILITY_LAMPS | TB_CAPABILITY_GATE | TB_CAPABILITY_SHOE;
  memset(id.serial, 0xFF, sizeof id.serial);
  tb_board_start(&n->board, &id, &n->inputs);
}

void tb_native_set_inputs(struct tb_native *n, const uint8_t *keys, uint8_t covered, uint8_t lid_open,
                          uint8_t face_up) {
  memcpy(n->inputs.keys, keys, sizeof n->inputs.keys);
  n->inputs.covered = covered;
  n->inputs.lid_open = lid_open;
  n->inputs.face_up = face_up;
}

void tb_native_receive(struct tb_native *n, const uint8_t *data, size_t length) {
  for (size_t i = 0; i < length; i++) tb_board_receive_byte(&n->board, data[i]);
}

void tb_native_tick(struct tb_native *n) { tb_board_tick(&n->board, &n->inputs); }

/* Takes at most `room` bytes from the line; returns how many. */
size_t tb_native_transmit(struct tb_native *n, uint8_t *out, size_t room) {
  size_t i = 0;
  while (i < room && tb_line_take_byte(&n->board, out + i)) i++;
  return i;
}

uint8_t tb_native_is_gate_open(const struct tb_native *n) { return n->board.gate.open; }

void tb_native_get_lamps(const struct tb_native *n, uint8_t *lit) { memcpy(lit, n->board.lamps.lit, TB_LAMP_BYTES); }
