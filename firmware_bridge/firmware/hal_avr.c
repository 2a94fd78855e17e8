/* The board on an ATmega328P at 16 MHz (Arduino Uno or Nano). Pins as in docs/flashing.md:
 *
 *   PD0 RX  PD1 TX               UART, 115200 8N1
 *   PB0 gate                     high opens; the 10 k pull-down at the transistor shuts it whenever this pin floats
 *   PD2 load#  PD3 clock  PD4 in keys, seven 74HC165; a key pulls its input low
 *   PD5 data  PD6 clock  PD7 latch  PB1 OE#   lamps, six 74HC595
 *   PC0 edge  PC1 lid  PC2 face  sensors; low is the quiet state, so that a cut wire shows
 *   PB5                          the LED of the board: lit while the host is heard
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "tb_board.h"

#ifndef TB_CAPABILITIES
#define TB_CAPABILITIES (TB_CAPABILITY_KEYS | TB_CAPABILITY_LAMPS | TB_CAPABILITY_GATE | TB_CAPABILITY_SHOE)
#endif
#ifndef TB_BUILD
#define TB_BUILD 0
#endif
#define FIRMWARE_VERSION {1, 0, 0}

#define GATE _BV(PB0)
#define LAMP_OE _BV(PB1)
#define HOST_LED _BV(PB5)
#define KEY_LOAD _BV(PD2)
#define KEY_CLOCK _BV(PD3)
#define KEY_IN _BV(PD4)
#define LAMP_DATA _BV(PD5)
#define LAMP_CLOCK _BV(PD6)
#define LAMP_LATCH _BV(PD7)
#define EDGE _BV(PC0)
#define LID _BV(PC1)
#define FACE _BV(PC2)

#define LAMP_REFRESH_MS 250 /* a spark may flip a latch; the whole chain is written again this often */

/* Not at address 0, which a brown-out during a write hits first. */
#define EEPROM_BOOTS ((uint16_t *)0x10)
#define EEPROM_SERIAL ((const void *)0x20)

#define RX_SIZE 128
#define TX_SIZE 16

static struct {
  volatile uint8_t bytes[RX_SIZE];
  volatile uint8_t head, tail;
} rx;
static struct {
  volatile uint8_t bytes[TX_SIZE];
  volatile uint8_t head, tail;
} tx;
static volatile uint8_t ticks;
static volatile uint16_t overruns;
static struct tb_board board;

static uint8_t reset_cause __attribute__((section(".noinit")));

/* Before main: keep the cause of the reset, and stop a watchdog that may still run with its shortest time. Optiboot
   clears MCUSR and hands it over in r2. */
static void keep_reset_cause(void) __attribute__((naked, used, section(".init3")));
static void keep_reset_cause(void) {
  uint8_t handed_over;
  __asm__ volatile("mov %0, r2" : "=r"(handed_over));
  reset_cause = MCUSR ? MCUSR : handed_over;
  MCUSR = 0;
  wdt_disable();
}

ISR(TIMER0_COMPA_vect) { ticks++; }

ISR(USART_RX_vect) {
  if (UCSR0A & _BV(DOR0)) overruns++;
  uint8_t byte = UDR0, next = (uint8_t)(rx.head + 1) % RX_SIZE;
  if (next == rx.tail) {
    overruns++;
    return;
  }
  rx.bytes[rx.head] = byte;
  rx.head = next;
}

ISR(USART_UDRE_vect) {
  if (tx.head == tx.tail) {
    UCSR0B &= (uint8_t)~_BV(UDRIE0);
    return;
  }
  UDR0 = tx.bytes[tx.tail];
  tx.tail = (uint8_t)(tx.tail + 1) % TX_SIZE;
}

static void start_pins(void) {
  PORTB = LAMP_OE; /* gate low, lamps dark, before the pins drive */
  DDRB = GATE | LAMP_OE | HOST_LED;
  PORTC = EDGE | LID | FACE;
  PORTD = KEY_LOAD | KEY_IN | _BV(PD0);
  DDRD = KEY_LOAD | KEY_CLOCK | LAMP_DATA | LAMP_CLOCK | LAMP_LATCH | _BV(PD1);
}

static void start_timer(void) {
  TCCR0A = _BV(WGM01);
  OCR0A = 249; /* 16 MHz / 64 / 250: one millisecond */
  TIMSK0 = _BV(OCIE0A);
  TCCR0B = _BV(CS01) | _BV(CS00);
}

static void start_uart(void) {
  UCSR0A = _BV(U2X0); /* before UBRR0: simavr works the rate out when that is written */
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UBRR0 = 16; /* 117647 baud, 2.1 % fast, within what 8N1 bears */
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static void read_keys(uint8_t *keys) {
  PORTD &= (uint8_t)~KEY_LOAD;
  __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
  PORTD |= KEY_LOAD;
  for (uint8_t chip = 0; chip < TB_KEY_BYTES; chip++) {
    uint8_t bits = 0;
    for (uint8_t k = 0; k < 8; k++) {
      bits = (uint8_t)(bits << 1 | !(PIND & KEY_IN));
      PORTD |= KEY_CLOCK;
      PORTD &= (uint8_t)~KEY_CLOCK;
    }
    keys[chip] = bits;
  }
}

static void read_inputs(struct tb_inputs *in) {
  if (tb_inputs_is_scan_due(&board)) read_keys(in->keys);
  if (TB_CAPABILITIES & TB_CAPABILITY_SHOE) {
    uint8_t pins = PINC;
    in->covered = pins & EDGE;
    in->lid_open = pins & LID;
    in->face_up = pins & FACE;
  }
}

static void write_lamps(void) {
  static uint8_t shown[TB_LAMP_BYTES], wait = 1;
  bool same = --wait != 0;
  for (uint8_t i = 0; i < TB_LAMP_BYTES; i++) same = same && shown[i] == board.lamps.lit[i];
  if (same) return;
  wait = LAMP_REFRESH_MS;
  for (uint8_t i = TB_LAMP_BYTES; i-- > 0;) { /* what is sent first ends up in the farthest chip */
    uint8_t bits = shown[i] = board.lamps.lit[i];
    for (uint8_t k = 0; k < 8; k++, bits = (uint8_t)(bits << 1)) {
      if (bits & 0x80)
        PORTD |= LAMP_DATA;
      else
        PORTD &= (uint8_t)~LAMP_DATA;
      PORTD |= LAMP_CLOCK;
      PORTD &= (uint8_t)~LAMP_CLOCK;
    }
  }
  PORTD |= LAMP_LATCH;
  PORTD &= (uint8_t)~LAMP_LATCH;
  PORTB &= (uint8_t)~LAMP_OE;
}

static void write_gate(void) {
  if (board.gate.open && (TB_CAPABILITIES & TB_CAPABILITY_GATE))
    PORTB |= GATE;
  else
    PORTB &= (uint8_t)~GATE;
}

static void read_identity(struct tb_identity *id) {
  static const uint8_t version[3] = FIRMWARE_VERSION;
  uint16_t boots = eeprom_read_word(EEPROM_BOOTS);
  boots = boots >= 0xFFFE ? 1 : (uint16_t)(boots + 1); /* a blank EEPROM reads FFFF */
  eeprom_update_word(EEPROM_BOOTS, boots);
  id->cause = reset_cause;
  id->boots = boots;
  id->flags = eeprom_read_word(EEPROM_BOOTS) == boots ? 0 : TB_HELLO_FLAG_COUNTER_NOT_STORED;
  id->capabilities = TB_CAPABILITIES;
  for (uint8_t i = 0; i < 3; i++) id->firmware[i] = version[i];
  id->build = TB_BUILD;
  eeprom_read_block(id->serial, EEPROM_SERIAL, sizeof id->serial);
}

static bool pump_bytes(void) {
  bool moved = false;
  while (rx.tail != rx.head) {
    tb_board_receive_byte(&board, rx.bytes[rx.tail]);
    rx.tail = (uint8_t)(rx.tail + 1) % RX_SIZE;
    moved = true;
  }
  for (;;) {
    uint8_t next = (uint8_t)(tx.head + 1) % TX_SIZE, byte;
    if (next == tx.tail || !tb_line_take_byte(&board, &byte)) break;
    tx.bytes[tx.head] = byte;
    tx.head = next;
    cli();
    UCSR0B |= _BV(UDRIE0);
    sei();
    moved = true;
  }
  return moved;
}

static void tick(struct tb_inputs *in) {
  cli();
  ticks--;
  board.overruns = overruns;
  sei();
  read_inputs(in);
  tb_board_tick(&board, in);
  write_gate();
  write_lamps();
  if (tb_line_is_host_lost(&board))
    PORTB &= (uint8_t)~HOST_LED;
  else
    PORTB |= HOST_LED;
  wdt_reset(); /* here alone: no tick, no food */
}

int main(void) {
  static struct tb_inputs in;
  struct tb_identity id;
  wdt_enable(WDTO_250MS);
  start_pins();
  read_identity(&id);
  read_keys(in.keys);
  read_inputs(&in);
  tb_board_start(&board, &id, &in);
  start_uart();
  start_timer();
  set_sleep_mode(SLEEP_MODE_IDLE);
  sei();
  for (;;) {
    if (pump_bytes()) write_gate();
    if (ticks) tick(&in);
    cli();
    if (!ticks && rx.head == rx.tail) {
      sleep_enable();
      sei();
      sleep_cpu(); /* any interrupt wakes it, the next tick at the latest */
      sleep_disable();
    }
    sei();
  }
}
