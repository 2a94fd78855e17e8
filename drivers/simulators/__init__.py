"""The far ends of the wires: simulated devices that speak the real frames to the real drivers.

A *bench* holds the devices of one simulated table, with one clock::

    from drivers.simulators.bench.bench import Bench

    with Bench() as bench:                                   # named "table"; Bench("other", clock=…) for tests
        bench.add_port("sim://rdm6300/shoe?flip=0.01&seed=7")            # a serial device: driver, id, faults
        bench.add_device("key_panel", "dealer", {"keys": {"done": 17}})  # a device on pins, keyed like its driver
        port = open_port("sim://rdm6300/shoe", driver)       # drivers.ports.byte_port; or any pyserial serial_for_url
        panel_driver.start(bench.pins)                       # bench.pins is a drivers.contract.driver_interface.Pins

        shoe = bench.reader("shoe")                          # by the id of the URL
        shoe.present("6F007B3972")                           # the canonical tag the driver is to report
        shoe.remove()
        bench.panel("dealer").tap("done")                    # press, bounce, let go when it has counted
        bench.lamps("lamps").lit_seats()                     # {"act": (3,), "deal": (), …} as the wire has it now
        bench.gate("gate").is_open()
        bench.sensors("mouth").pass_card()                   # edge (and face), jam(), clear(), move_lid(open_it=True)
        bench.unplug("shoe"); bench.replug("shoe")           # the cable

* A `sim://driver/id` URL means the bench named "table" unless it says `bench=NAME`. Whichever comes first, `add_port`
  or opening the port, puts the device there. Two devices of one id, or two open benches of one name, are refused.
* The faults of a URL are the fields of `drivers.simulators.bench.simulated_link.LinkFaults`; other query keys go to the
  simulator (`model=id-12la`).
* The methods of simulators may be called from any thread. All times come from the bench's clock (`time.monotonic`, or
  the test's `drivers.simulators.bench.manual_clock.ManualClock`): a simulator never sleeps, it answers what has
  happened by now. Ports pace their bytes by the same clock.
* What each kind of simulator can do stands in `drivers.simulators.bench.simulator_interfaces`: `ReaderSimulator`,
  `PanelSimulator`, `LampsSimulator`, `GateSimulator`, `SensorsSimulator`, `SoundSimulator`.
* `bench.pins.history` remembers what was last done to the pins.
"""

SIMULATORS: dict[str, str] = {
    "barcode": "drivers.simulators.scanners.barcode_scanner_simulator:BarcodeScannerSimulator",
    "bridge": "drivers.simulators.bridge_simulator:BridgeSimulator",
    "buzzer": "drivers.simulators.sound.buzzer_simulator:BuzzerSimulator",
    "cr95hf": "drivers.simulators.readers.cr95hf_simulator:Cr95HfSimulator",
    "de2120": "drivers.simulators.scanners.de2120_simulator:De2120Simulator",
    "feig": "drivers.simulators.readers.feig_simulator:FeigSimulator",
    "gate": "drivers.simulators.shoe.shoe_gate_simulator:ShoeGateSimulator",
    "gm65": "drivers.simulators.scanners.gm65_simulator:Gm65Simulator",
    "key_panel": "drivers.simulators.panels.key_panel_simulator:KeyPanelSimulator",
    "keyboard_scanner": "drivers.simulators.scanners.keyboard_scanner_simulator:KeyboardScannerSimulator",
    "lamps_595": "drivers.simulators.lamps.lamps_595_simulator:Lamps595Simulator",
    "lamps_pins": "drivers.simulators.lamps.lamps_pins_simulator:LampsPinsSimulator",
    "lamps_ws2812": "drivers.simulators.lamps.lamps_ws2812_simulator:LampsWs2812Simulator",
    "lines": "drivers.simulators.readers.lines_simulator:LinesSimulator",
    "panel_165": "drivers.simulators.panels.panel_165_simulator:Panel165Simulator",
    "panel_matrix": "drivers.simulators.panels.panel_matrix_simulator:PanelMatrixSimulator",
    "pepper_c1": "drivers.simulators.readers.pepper_c1_simulator:PepperC1Simulator",
    "pn532": "drivers.simulators.readers.pn532_simulator:Pn532Simulator",
    "rc522": "drivers.simulators.readers.rc522_simulator:Rc522Simulator",
    "rdm6300": "drivers.simulators.readers.rdm6300_simulator:Rdm6300Simulator",
    "s6350": "drivers.simulators.readers.s6350_simulator:S6350Simulator",
    "shoe_sensors": "drivers.simulators.shoe.shoe_sensors_simulator:ShoeSensorsSimulator",
    "ssi": "drivers.simulators.scanners.ssi_simulator:SsiSimulator",
    "thingmagic": "drivers.simulators.readers.thingmagic_simulator:ThingMagicSimulator",
}
"""Name of the driver -> "module:Class" of its simulator; the names of `drivers.contract.driver_registry.DRIVERS`."""
