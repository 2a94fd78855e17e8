/* Runs the AVR firmware in simavr, paced by the wall clock: its UART on a pty at 115200 baud, its pins on a board with
 * seven 74HC165, six 74HC595, a gate and three sensors.
 *
 *   avr_runner firmware.elf
 *
 * Standard input takes lines, standard output gives lines; every time is in microseconds of the board's own clock
 * since power-on (16 cycles each).
 *
 *   in    key N 0|1      a key up or down           cut 0|1   the cable is whole or cut, both ways
 *         edge 0|1       sensor free or covered     hang      the processor spins with interrupts off until a reset
 *         lid 0|1        closed or open             reset     power off and on
 *         face 0|1       down or up                 mark      nothing: its "ok" tells the time
 *         lead N         stand still when more than N ms ahead of the last "seen US"; 0, at first: never
 *         seen US        the tester has read all up to this time (answered by nothing)
 *         quit
 *   out   pty PATH       where the UART is          ok LINE US  a command was taken
 *         gate 0|1 US    level at the transistor    rx TYPE US  a frame of the host has arrived whole
 *         lamps HEX US   what shines, lamp 0 in bit 0   tx TYPE US  a frame of the board has left whole
 *         at US          the time, every millisecond
 *
 * A tool of the tests, apart from the product: simavr is GPL-3. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <sim_avr.h>
#include <sim_elf.h>
#include <avr_ioport.h>
#include <avr_uart.h>

#define HZ 16000000UL
#define US_CYCLES (HZ / 1000000)
#define BYTE_CYCLES (HZ * 10 / 115200)
#define SLICE_CYCLES (HZ / 4000)
#define KEYS 56
#define DDRB 0x24
#define PORTB 0x25
#define GATE 0x01
#define LAMP_OE 0x02

static avr_t *avr;
static avr_irq_t *uart_in;
static int wire = -1;
static bool cut, stop, is_held_back, power_cycle;
static struct timespec started_at;
static uint8_t queue[4096];
static unsigned queue_head, queue_tail;
static avr_cycle_count_t line_free;
static unsigned long long lead_us, seen_us;
static avr_cycle_count_t before_reset; /* a reset sets the cycle count back and forgets the timers */

static uint8_t key_down[KEYS];
static unsigned key_at;
static bool load_low, lamp_data;
static uint64_t lamp_shift, lamp_latched, lamp_shown = ~0ULL;
static int gate_shown = -1;
static uint8_t port_c_level;

static uint8_t saved_flash[2];
static avr_flashaddr_t hung_at;
static bool hung;

static void print_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  fflush(stdout);
}

static unsigned long long to_microseconds(avr_cycle_count_t cycle) { return (before_reset + cycle) / US_CYCLES; }

static void log_errors(avr_t *a, const int level, const char *format, va_list args) {
  (void)a;
  if (level <= LOG_ERROR) vfprintf(stderr, format, args);
}

static void ignore_sleep(avr_t *a, avr_cycle_count_t cycles) {
  (void)a;
  (void)cycles; /* the pace is kept in run_slice() */
}

static avr_irq_t *find_pin_irq(char port, int bit) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit); }

static void drive_pins(char port, uint8_t mask, uint8_t value) {
  avr_ioport_external_t external = {.name = (unsigned long)port, .mask = mask, .value = value};
  avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
}

/* 74HC165: QH of the nearest chip shows input 7 first; a key pulls its input low. */
static bool is_key_open(void) { return key_at >= KEYS || !key_down[key_at / 8 * 8 + 7 - key_at % 8]; }

static void show_key(void) {
  bool high = is_key_open();
  drive_pins('D', 1 << 4, high ? 1 << 4 : 0);
  avr_raise_irq(find_pin_irq('D', 4), high);
}

static void on_load(avr_irq_t *irq, uint32_t level, void *param) {
  (void)irq;
  (void)param;
  load_low = !level;
  if (load_low) key_at = 0;
  if (load_low) show_key();
}

static void on_key_clock(avr_irq_t *irq, uint32_t level, void *param) {
  (void)param;
  if (!level || irq->value || load_low) return;
  key_at++;
  show_key();
}

/* 74HC595: the first bit sent ends in the farthest chip. */
static void on_lamp_data(avr_irq_t *irq, uint32_t level, void *param) {
  (void)irq;
  (void)param;
  lamp_data = level;
}

static void on_lamp_clock(avr_irq_t *irq, uint32_t level, void *param) {
  (void)param;
  if (level && !irq->value) lamp_shift = (lamp_shift << 1 | lamp_data) & 0xFFFFFFFFFFFFULL;
}

static void on_lamp_latch(avr_irq_t *irq, uint32_t level, void *param) {
  (void)param;
  if (level && !irq->value) lamp_latched = lamp_shift;
}

/* A pin that is no output floats: the pull-down of the gate and the pull-up of OE# decide. */
static void print_outputs(void) {
  uint8_t ddr = avr->data[DDRB], port = avr->data[PORTB];
  int gate = ddr & port & GATE ? 1 : 0;
  uint64_t lamps = (ddr & LAMP_OE) && !(port & LAMP_OE) ? lamp_latched : 0;
  if (gate != gate_shown) print_line("gate %d %llu\n", gate_shown = gate, to_microseconds(avr->cycle));
  if (lamps != lamp_shown)
    print_line("lamps %012llx %llu\n", (unsigned long long)(lamp_shown = lamps), to_microseconds(avr->cycle));
}

/* A frame on its way past: COBS leaves the type where it is, third on the wire, for no version or type is zero. */
struct passing_frame {
  unsigned count;
  uint8_t type;
};

static void track_frame(struct passing_frame *frame, const char *way, uint8_t byte, avr_cycle_count_t end) {
  if (byte == 0) {
    if (frame->count) print_line("%s %02X %llu\n", way, frame->type, to_microseconds(end));
    frame->count = 0;
    frame->type = 0;
  } else if (++frame->count == 3) {
    frame->type = byte;
  }
}

static void on_byte_out(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)param;
  static struct passing_frame frame;
  uint8_t byte = (uint8_t)value;
  track_frame(&frame, "tx", byte, avr->cycle + BYTE_CYCLES);
  if (!cut && write(wire, &byte, 1) != 1 && errno != EAGAIN && errno != EIO) stop = true;
}

static void on_xoff(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)param;
  if (value) is_held_back = true;
}

static void on_xon(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)param;
  if (value) is_held_back = false;
}

static avr_cycle_count_t send_next_byte(avr_t *a, avr_cycle_count_t when, void *param) {
  (void)a;
  (void)param;
  if (queue_head == queue_tail) return 0;
  if (is_held_back) return when + BYTE_CYCLES;
  uint8_t byte = queue[queue_tail++ % sizeof queue];
  static struct passing_frame frame;
  track_frame(&frame, "rx", byte, when + BYTE_CYCLES);
  avr_raise_irq(uart_in, byte);
  line_free = when + BYTE_CYCLES;
  return queue_head == queue_tail ? 0 : line_free;
}

static void read_wire(void) {
  uint8_t bytes[256];
  if (queue_head - queue_tail > sizeof queue - sizeof bytes) return;
  ssize_t n = read(wire, bytes, sizeof bytes);
  if (n <= 0 || cut) return;
  bool idle = queue_head == queue_tail;
  for (ssize_t i = 0; i < n; i++) queue[queue_head++ % sizeof queue] = bytes[i];
  avr_cycle_count_t wait = line_free > avr->cycle ? line_free - avr->cycle : 1;
  if (idle) avr_cycle_timer_register(avr, wait, send_next_byte, NULL);
}

static void hang_processor(void) {
  hung_at = avr->pc;
  memcpy(saved_flash, avr->flash + hung_at, 2);
  avr->flash[hung_at] = 0xFF; /* rjmp to itself */
  avr->flash[hung_at + 1] = 0xCF;
  avr->sreg[S_I] = 0;
  avr->state = cpu_Running;
  hung = true;
}

static void set_sensor(int bit, bool high) {
  port_c_level = (uint8_t)((port_c_level & ~(1 << bit)) | high << bit);
  drive_pins('C', 7, port_c_level);
  avr_raise_irq(find_pin_irq('C', bit), high);
}

static void run_command(char *line) {
  int n, v;
  unsigned long long at;
  line[strcspn(line, "\n")] = 0;
  if (sscanf(line, "seen %llu", &at) == 1) {
    seen_us = at;
    return;
  }
  if (sscanf(line, "key %d %d", &n, &v) == 2 && n >= 0 && n < KEYS)
    key_down[n] = v != 0;
  else if (sscanf(line, "edge %d", &v) == 1)
    set_sensor(0, v);
  else if (sscanf(line, "lid %d", &v) == 1)
    set_sensor(1, v);
  else if (sscanf(line, "face %d", &v) == 1)
    set_sensor(2, v);
  else if (sscanf(line, "cut %d", &v) == 1)
    cut = v;
  else if (sscanf(line, "lead %d", &v) == 1)
    lead_us = (unsigned)v * 1000U;
  else if (!strcmp(line, "hang"))
    hang_processor();
  else if (!strcmp(line, "reset"))
    power_cycle = true;
  else if (!strcmp(line, "quit"))
    stop = true;
  else if (strcmp(line, "mark"))
    fprintf(stderr, "avr_runner: no command: %s\n", line);
  print_line("ok %s %llu\n", line, to_microseconds(avr->cycle));
}

static void read_commands(int wait_ms) {
  static char held[512];
  static size_t length;
  struct pollfd in = {.fd = 0, .events = POLLIN};
  if (poll(&in, 1, wait_ms) <= 0) return;
  ssize_t n = read(0, held + length, sizeof held - 1 - length);
  if (n <= 0) {
    stop = true; /* whoever started this is gone */
    return;
  }
  length += (size_t)n;
  held[length] = 0;
  for (char *end; (end = strchr(held, '\n'));) {
    *end = 0;
    run_command(held);
    length -= (size_t)(end + 1 - held);
    memmove(held, end + 1, length + 1);
  }
}

static avr_cycle_count_t run_slice(avr_t *a, avr_cycle_count_t when, void *param) {
  (void)param;
  static unsigned slices;
  read_wire();
  read_commands(0);
  if (slices++ % 4 == 0) print_line("at %llu\n", to_microseconds(a->cycle));
  while (lead_us && !stop && to_microseconds(a->cycle) > seen_us + lead_us) read_commands(100);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long wall = (now.tv_sec - started_at.tv_sec) * 1000000000LL + (now.tv_nsec - started_at.tv_nsec);
  long long ahead = (long long)((before_reset + a->cycle) * 1000 / US_CYCLES) - wall;
  if (ahead > 200000) {
    struct timespec wait = {ahead / 1000000000LL, ahead % 1000000000LL};
    nanosleep(&wait, NULL);
  } else if (ahead < -20000000LL) { /* the machine was busy elsewhere: go on from here, do not rush after it */
    long long back = -ahead;
    started_at.tv_sec += back / 1000000000LL;
    started_at.tv_nsec += back % 1000000000LL;
  }
  return when + SLICE_CYCLES;
}

static void wire_up(void) {
  struct termios raw;
  int slave;
  char path[128];
  if (openpty(&wire, &slave, path, NULL, NULL)) exit(3);
  tcgetattr(slave, &raw);
  cfmakeraw(&raw);
  tcsetattr(slave, TCSANOW, &raw); /* the slave stays open here: the host may come and go */
  fcntl(wire, F_SETFL, O_NONBLOCK);
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte_out, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_xoff, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_xon, NULL);
  avr_irq_register_notify(find_pin_irq('D', 2), on_load, NULL);
  avr_irq_register_notify(find_pin_irq('D', 3), on_key_clock, NULL);
  avr_irq_register_notify(find_pin_irq('D', 5), on_lamp_data, NULL);
  avr_irq_register_notify(find_pin_irq('D', 6), on_lamp_clock, NULL);
  avr_irq_register_notify(find_pin_irq('D', 7), on_lamp_latch, NULL);
  drive_pins('C', 7, 0);
  drive_pins('D', 1 << 4, 1 << 4);
  print_line("pty %s\n", path);
}

/* A reset clears the registers that pins are read from, and simavr hands on a level only when it changes. */
static void force_level(char port, int bit, bool high) {
  avr_raise_irq(find_pin_irq(port, bit), !high);
  avr_raise_irq(find_pin_irq(port, bit), high);
}

static void on_reset(avr_cycle_count_t last) {
  if (avr->cycle < last) before_reset += last - avr->cycle;
  if (hung) memcpy(avr->flash + hung_at, saved_flash, 2);
  hung = false;
  for (int bit = 0; bit < 3; bit++) force_level('C', bit, port_c_level >> bit & 1);
  force_level('D', 4, is_key_open());
  queue_tail = queue_head;
  line_free = 0;
  avr_cycle_timer_register(avr, SLICE_CYCLES, run_slice, NULL);
}

int main(int count, char **arg) {
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  avr_global_logger_set(log_errors);
  if (count != 2 || elf_read_firmware(arg[1], &firmware)) {
    fprintf(stderr, "usage: avr_runner firmware.elf\n");
    return 2;
  }
  strcpy(firmware.mmcu, "atmega328p");
  firmware.frequency = HZ;
  avr = avr_make_mcu_by_name(firmware.mmcu);
  if (!avr) return 1;
  avr_init(avr);
  avr->sleep = ignore_sleep;
  avr_load_firmware(avr, &firmware);
  wire_up();
  clock_gettime(CLOCK_MONOTONIC, &started_at);
  avr_cycle_timer_register(avr, SLICE_CYCLES, run_slice, NULL);
  avr_cycle_count_t last = 0;
  for (int state = cpu_Running; !stop && state != cpu_Done && state != cpu_Crashed; last = avr->cycle) {
    state = avr_run(avr);
    if (power_cycle) {
      power_cycle = false;
      avr_reset(avr);
      avr_regbit_set(avr, avr->reset_flags.porf);
    }
    if (avr->pc == avr->reset_pc) on_reset(last); /* before its first instruction */
    print_outputs();
  }
  return 0;
}
