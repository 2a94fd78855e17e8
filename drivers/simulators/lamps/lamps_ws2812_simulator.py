"""The far end of a string of WS2812: lights that take pulses off the bus and show them after a pause."""

from collections.abc import Mapping

from drivers.simulators.bench.simulator_interfaces import Clock

MIN_LATCH_BITS = 672
"""280 µs of low line at 2.4 MHz."""

LONG_PULSE, SHORT_PULSE = "110", "100"


class LampsWs2812Simulator:
    """Takes a transfer as pulses; what is no pulse of either length leaves the rest of the string as it was."""

    baudrate = 2_400_000
    parity = "N"
    is_lossless = True

    def __init__(self, clock: Clock) -> None:
        del clock
        self._colours: list[tuple[int, int, int]] = []
        self._lights_by_role: dict[str, dict[int, int]] = {}

    def configure(self, keys: Mapping[str, object]) -> None:
        """Learn from the device's keys which light is which lamp."""
        outputs = keys["outputs"]
        if not isinstance(outputs, Mapping):
            raise TypeError("outputs is a table")
        self._lights_by_role = {
            role: {int(seat): light for seat, light in seats.items()} for role, seats in outputs.items()
        }

    def colours(self) -> tuple[tuple[int, int, int], ...]:
        """Return red, green and blue of every light that ever got a colour, the nearest first."""
        return tuple(self._colours)

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment. `configure` must have been called."""
        return {
            role: tuple(sorted(seat for seat, light in seats.items() if self._is_lit(light)))
            for role, seats in self._lights_by_role.items()
        }

    def receive_data(self, data: bytes) -> None:
        """Take one transfer."""
        bits = "".join(f"{byte:08b}" for byte in data)
        pulses = bits.lstrip("0")
        if len(bits) - len(bits.rstrip("0")) < MIN_LATCH_BITS:
            return
        taken = 0
        while pulses[24 * 3 * taken : 24 * 3 * (taken + 1)].strip("0"):
            light = pulses[24 * 3 * taken : 24 * 3 * (taken + 1)]
            triples = [light[at : at + 3] for at in range(0, len(light), 3)]
            if len(triples) != 24 or not {*triples} <= {LONG_PULSE, SHORT_PULSE}:
                return
            value = int("".join("1" if triple == LONG_PULSE else "0" for triple in triples), 2)
            green, red, blue = value.to_bytes(3, "big")
            self._colours[taken : taken + 1] = [(red, green, blue)]
            taken += 1

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return nothing: lights say nothing."""
        return []

    def _is_lit(self, light: int) -> bool:
        return light < len(self._colours) and any(self._colours[light])
