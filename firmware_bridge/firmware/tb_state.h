/* All that the board knows. Nothing is allocated. */
#ifndef TB_STATE_H
#define TB_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include "tb_wire.h"

#define TB_KEY_BYTES (TB_KEYS / 8)
#define TB_LAMP_BYTES (TB_LAMPS / 8)
#define TB_LAMP_STATE_BYTES (TB_LAMPS / 4)
#define TB_OUT_BYTES 256 /* bytes waiting for the line; its indices wrap by themselves */
#define TB_EVENT_DATA 3

struct tb_identity {
  uint8_t cause;
  uint16_t boots;
  uint8_t flags;
  uint16_t capabilities;
  uint8_t firmware[3];
  uint32_t build;
  uint8_t serial[8];
};

/* Levels as the table means them: a key is down, the edge sensor is covered, the lid is open, the face is up. */
struct tb_inputs {
  uint8_t keys[TB_KEY_BYTES];
  bool covered;
  bool lid_open;
  bool face_up;
};

struct tb_event {
  uint8_t type;
  uint32_t at;
  uint8_t data[TB_EVENT_DATA];
};

struct tb_ring {
  struct tb_event events[TB_RING];
  uint8_t first;        /* index of the oldest */
  uint8_t count;        /* not acknowledged */
  uint8_t sent;         /* of these, sent in this round */
  uint8_t repeat_in_ms; /* until the next round */
  uint16_t newest;
  uint16_t lost;       /* dropped since the last one that fitted */
  uint16_t lost_total; /* since reset */
};

struct tb_key {
  uint8_t level;  /* the integrator, 0 to TB_KEY_SAMPLES */
  uint8_t action; /* TB_KEY_ACTION_* */
  uint16_t scans; /* since it went down */
};

struct tb_sensor {
  uint8_t level;
  bool on;
};

struct tb_gate {
  bool open;
  uint16_t lease_ms;    /* left */
  uint16_t on_ms;       /* of on-time not yet counted back */
  uint16_t cooldown_ms; /* until it may open again */
};

struct tb_lamps {
  uint8_t generation; /* 0: nothing of the host's */
  uint8_t states[TB_LAMP_STATE_BYTES];
  uint8_t lit[TB_LAMP_BYTES]; /* what the drivers of the lamps must show now */
  uint16_t blink_ms;          /* 0 to 999 */
  uint8_t phase;
};

struct tb_board {
  struct tb_identity identity;
  struct tb_deframer in;
  uint8_t out[TB_OUT_BYTES];
  uint8_t out_first, out_count;
  uint8_t answer[TB_MAX_BODY]; /* type, seq and payload of the last answer */
  uint8_t answer_length;       /* 0: none */
  uint16_t answer_crc;         /* CRC of the request it answered */
  uint8_t answer_seq;
  uint32_t clock_ms;
  uint16_t host_silent_ms; /* since the host was heard */
  uint16_t bad_frames;
  uint16_t overruns; /* counted by the HAL */
  struct tb_ring ring;
  struct tb_key keys[TB_KEYS];
  uint8_t next_scan_ms; /* until the next scan */
  struct tb_sensor edge, lid, face;
  uint16_t edge_stable_ms; /* since the edge sensor changed */
  bool jammed;
  struct tb_gate gate;
  struct tb_lamps lamps;
};

#endif
