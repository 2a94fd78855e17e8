"""The far ends of the wires: simulated devices that speak the real frames to the real drivers.

A *bench* holds the devices of one simulated table, with one clock::

    from drivers.sim.bench.bench import Bench

    with Bench() as bench:                                   # named "table"; Bench("other", clock=…) for tests
        bench.add_port("sim://rdm6300/shoe?flip=0.01&seed=7")            # a serial device: driver, id, faults
        bench.add_device("key_panel", "dealer", {"keys": {"done": 17}})  # a device on pins, keyed like its driver
        port = open_port("sim://rdm6300/shoe", driver)       # drivers.ports.open_port; or any pyserial serial_for_url
        panel_driver.start(bench.pins)                       # bench.pins is a drivers.contract.base.Pins

        shoe = bench.reader("shoe")                          # by the id of the URL
        shoe.present("6F007B3972")                           # the canonical tag the driver is to report
        shoe.remove()
        bench.panel("dealer").tap("done")                    # press, bounce, let go when it has counted
        bench.lamps("lamps").lit()                           # {"act": (3,), "deal": (), …} as the wire has it now
        bench.gate("gate").is_open()
        bench.sensors("mouth").pass_card()                   # edge (and face), jam(), clear(), move_lid(open_it=True)
        bench.unplug("shoe"); bench.plug("shoe")             # the cable

* A `sim://driver/id` URL means the bench named "table" unless it says `bench=NAME`. Whichever comes first, `add_port`
  or opening the port, puts the device there. Two devices of one id, or two open benches of one name, are refused.
* The faults of a URL are the fields of `drivers.sim.bench.faults.Faults`; other query keys go to the twin
  (`model=id-12la`).
* The methods of twins may be called from any thread. All times come from the bench's clock (`time.monotonic`, or the
  test's `drivers.sim.bench.clock.HandClock`): a twin never sleeps, it answers what has happened by now. Ports pace
  their bytes by the same clock.
* What each kind of twin can do stands in `drivers.sim.bench.twin`: `ReaderTwin`, `PanelTwin`, `LampsTwin`, `GateTwin`,
  `SensorsTwin`, `SoundTwin`.
* `bench.pins.history` remembers what was last done to the pins.
"""

SIMS: dict[str, str] = {
    "barcode": "drivers.sim.scanners.barcode:BarcodeTwin",
    "bridge": "drivers.sim.bridge:BridgeTwin",
    "buzzer": "drivers.sim.sound.buzzer:BuzzerTwin",
    "cr95hf": "drivers.sim.readers.cr95hf:Cr95HfTwin",
    "de2120": "drivers.sim.scanners.de2120:De2120Twin",
    "feig": "drivers.sim.readers.feig:FeigTwin",
    "gate": "drivers.sim.shoe.gate:GateTwin",
    "gm65": "drivers.sim.scanners.gm65:Gm65Twin",
    "key_panel": "drivers.sim.panels.key_panel:KeyPanelTwin",
    "keyboard_scanner": "drivers.sim.scanners.keyboard_scanner:KeyboardScannerTwin",
    "lamps_595": "drivers.sim.lamps.lamps_595:Lamps595Twin",
    "lamps_ws2812": "drivers.sim.lamps.lamps_ws2812:LampsWs2812Twin",
    "panel_165": "drivers.sim.panels.panel_165:Panel165Twin",
    "panel_matrix": "drivers.sim.panels.panel_matrix:PanelMatrixTwin",
    "pn532": "drivers.sim.readers.pn532:Pn532Twin",
    "rdm6300": "drivers.sim.readers.rdm6300:Rdm6300Twin",
    "s6350": "drivers.sim.readers.s6350:S6350Twin",
    "shoe_sensors": "drivers.sim.shoe.shoe_sensors:ShoeSensorsTwin",
    "ssi": "drivers.sim.scanners.ssi:SsiTwin",
    "thingmagic": "drivers.sim.readers.thingmagic:ThingMagicTwin",
}
"""Name of the driver -> "module:Class" of its twin; the same names as `drivers.contract.registry.DRIVERS`."""
