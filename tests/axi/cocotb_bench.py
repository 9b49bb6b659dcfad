"""The Verilated accelerator in cocotb: settings of the simulator, and a bench that drives it."""

import itertools
import logging
import os
import random
from contextlib import contextmanager
from pathlib import Path

from rsaxcel import catalog
from rsaxcel.fl.bus import ALL_BYTES, BusRegisters
from rsaxcel.fl.register_map import BUSY, INTERRUPTS, STATUS
from rsaxcel.sim.bus import WRITE, BusScript

KEY = "RSAXCEL_BENCH"
CLOCK_NS = 10
MOST_CYCLES = 10_000_000
"""Most cycles of an operation: six times the cycles of the longest operation in these tests."""


def environment(name: str, nbits: int, accesses: int) -> dict[str, str]:
    """Environment variable that tells a simulator its design, width and number of accesses."""
    return {KEY: f"{name} {nbits} {accesses}"}


def surroundings() -> tuple:
    """Configuration and number of random accesses, from the simulator's environment."""
    name, nbits, accesses = os.environ[KEY].split()
    return catalog.get(name).configure(int(nbits)), int(accesses)


def link_verilator(folder: Path, program: Path) -> str:
    """Link Verilator under the name that cocotb looks for; return the folder of the link."""
    folder.mkdir(exist_ok=True)
    link = folder / "verilator"
    if not link.exists():
        link.symlink_to(program)
    return str(folder)


class Bench:
    """The device under test, the AXI4-Lite master of cocotbext-axi, and the golden model.

    Every access also goes to the golden model, and the two responses are compared.

    Parameters
    ----------
    dut
        Handle of an ``AxiBench``.
    seed : int
        Seed of stalls and random bytes.
    """

    def __init__(self, dut, seed: int = 0):
        from cocotb.clock import Clock
        from cocotbext.axi import AxiLiteBus, AxiLiteMaster

        self.dut = dut
        self.configuration, self.accesses = surroundings()
        self.random = random.Random(seed)
        self.model = BusRegisters(self.configuration)
        self._given: list[int] = []  #: random bytes that the device has taken
        self._used = 0  #: number of these bytes that the model has taken
        self._stalls = {}  #: channel: pattern of its pauses
        dut.reset.value = 1
        dut.forget.value = 1
        dut.entropy_valid.value = 0
        self.clock = Clock(dut.clk, CLOCK_NS, unit="ns", impl="gpi")
        self.clock.start()
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.reset)
        for interface in (self.master.write_if, self.master.read_if):
            interface.log.setLevel(logging.WARNING)  # it logs every access twice

    async def begin(self, cycles: int = 3) -> None:
        """Power up, and leave the first reset."""
        import cocotb

        await self.cycles(cycles)
        self.dut.forget.value = 0
        await self.cycles(1)
        self.dut.reset.value = 0
        cocotb.start_soon(self._entropy())
        await self.cycles(1)

    async def cycles(self, count: int) -> None:
        await self.clock.cycles(count)

    def stall(self) -> None:
        """Random back-pressure on every channel, and waits before every request."""
        write, read = self.master.write_if, self.master.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel)
        for channel in (*channels, read.ar_channel, read.r_channel):
            pattern = [self.random.random() < 0.4 for _ in range(self.random.randint(97, 199))]
            self._stalls[channel] = itertools.cycle(pattern)
            channel.set_pause_generator(self._stalls[channel])

    @contextmanager
    def _no_accesses(self):
        """Suspend the stalls, which wake Python in every cycle, while there are no accesses."""
        for channel in self._stalls:
            channel.clear_pause_generator()
        yield
        for channel, pattern in self._stalls.items():
            channel.set_pause_generator(pattern)

    async def write(self, register, data: int, strobes: int = ALL_BYTES) -> None:
        """Write a register."""
        await self.write_at(register.offset, data, strobes)

    async def write_at(self, address: int, data: int, strobes: int = ALL_BYTES) -> None:
        from cocotbext.axi import AxiResp

        error = self.model.write(address, data, strobes)
        if strobes == ALL_BYTES and address % 4 == 0:
            answer = (await self.master.write(address, data.to_bytes(4, "little"))).resp
        else:
            answer = await self._raw_write(address, data, strobes)
        assert answer == (AxiResp.SLVERR if error else AxiResp.OKAY)

    async def _raw_write(self, address: int, data: int, strobes: int):
        write = self.master.write_if
        aw, w = write.aw_channel._transaction_obj(), write.w_channel._transaction_obj()
        aw.awaddr, w.wdata, w.wstrb = address, data, strobes
        # The master's own `write` allows no other strobes and addresses than aligned low bytes.
        await write.aw_channel.send(aw)
        await write.w_channel.send(w)
        return int((await write.b_channel.recv()).bresp)

    async def read(self, register) -> int:
        return await self.read_at(register.offset)

    async def read_at(self, address: int) -> int:
        """Read an address, and compare the response with the model's."""
        from cocotbext.axi import AxiResp

        answer = await self.master.read(address, 4 - address % 4)
        data, error = self.model.read(address)
        assert answer.resp == (AxiResp.SLVERR if error else AxiResp.OKAY)
        value = int.from_bytes(answer.data, "little")
        assert (hex(address), hex(value)) == (hex(address), hex(data >> 8 * (address % 4)))
        return value

    async def play(self, action, *values) -> list[int]:
        """Access what an action of a driver (a method of ``BusScript``) does; return all reads."""
        script, found = BusScript(), []
        action(script, *values)
        for kind, address, data, strobes in script.accesses:
            if kind == WRITE:
                await self.write_at(address, data, strobes)
            else:
                found.append(await self.read_at(address))
        return found

    async def end(self) -> None:
        """Poll STATUS until the device is idle, then finish the operation in the model."""
        waited, wait = 0, 20
        while BUSY.of(await self._look()):
            assert waited < MOST_CYCLES, "busy for ever"
            with self._no_accesses():
                await self.cycles(wait)
            waited += wait
            wait += wait // 4
        self.model.finish(self._given[self._used :])
        self._used = len(self._given)
        assert not self.model.busy
        await self.read(STATUS)
        await self.read(INTERRUPTS)
        assert bool(self.dut.interrupt.value) == self.model.interrupt

    async def _look(self) -> int:
        """Read STATUS of the device only: it may be idle before the model is."""
        return int.from_bytes((await self.master.read(STATUS.offset, 4)).data, "little")

    def check(self) -> None:
        """Check that neither side has broken a rule of the AXI specification."""
        assert not int(self.dut.slave_broke.value)
        assert not int(self.dut.master_broke.value)

    async def _entropy(self) -> None:
        """Offer random bytes, many of them zero, with random pauses."""
        from cocotb.triggers import RisingEdge

        byte = 0
        while True:
            offered = self.random.random() < 0.7
            byte = self.random.choice((0, self.random.randrange(256)))
            self.dut.entropy_valid.value = int(offered)
            self.dut.entropy_data.value = byte
            await RisingEdge(self.dut.clk)
            while offered and not (int(self.dut.entropy_ready.value) and not self.dut.reset.value):
                if not int(self.dut.entropy_ready.value):
                    await RisingEdge(self.dut.entropy_ready)
                await RisingEdge(self.dut.clk)
            if offered:
                self._given.append(byte)
