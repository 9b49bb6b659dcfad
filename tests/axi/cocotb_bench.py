"""The Verilated accelerator for tests in cocotb: how it is built, and how its tests drive it."""

import itertools
import os
import random
from pathlib import Path

import catalog
from fl.bus import ALL_BYTES, BusRegisters
from fl.register_map import BUSY, INTERRUPTS, STATUS

KEY = "RSAXCEL_BENCH"
CLOCK_NS = 10
MOST_POLLS = 100_000


def environment(name: str, nbits: int, accesses: int) -> dict[str, str]:
    """Say in a simulator's environment what is in it."""
    return {KEY: f"{name} {nbits} {accesses}"}


def surroundings() -> tuple:
    """Configuration, and the number of random accesses, in a simulator."""
    name, nbits, accesses = os.environ[KEY].split()
    return catalog.get(name).configure(int(nbits)), int(accesses)


def link_verilator(folder: Path, program: Path) -> str:
    """Folder with Verilator under the name that cocotb looks for."""
    folder.mkdir(exist_ok=True)
    link = folder / "verilator"
    if not link.exists():
        link.symlink_to(program)
    return str(folder)


class Bench:
    """The device under test, an AXI4-Lite master that others wrote, and the golden model.

    Every access is one of the model's, too, and its answer is compared.

    Parameters
    ----------
    dut
        Handle of an ``AxiBench``.
    seed : int
        Of stalls and random bytes.
    """

    def __init__(self, dut, seed: int = 0):
        from cocotb.clock import Clock
        from cocotbext.axi import AxiLiteBus, AxiLiteMaster

        self.dut = dut
        self.configuration, self.accesses = surroundings()
        self.random = random.Random(seed)
        self.model = BusRegisters(self.configuration)
        self.starved = False
        self._given: list[int] = []  # random bytes that the device has taken
        self._used = 0  # of them, by the model
        dut.reset.value = 1
        dut.forget.value = 1
        dut.entropy_valid.value = 0
        Clock(dut.clk, CLOCK_NS, unit="ns").start()
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.reset)

    async def begin(self, cycles: int = 3) -> None:
        """Power up."""
        import cocotb

        await self.cycles(cycles)
        self.dut.forget.value = 0
        await self.cycles(1)
        self.dut.reset.value = 0
        cocotb.start_soon(self._entropy())
        await self.cycles(1)

    async def reset(self, cycles: int = 3) -> None:
        """Reset, in whatever phase the device is."""
        self.dut.reset.value = 1
        await self.cycles(cycles)
        self.model = BusRegisters(self.configuration)
        self._used = len(self._given)
        self.dut.reset.value = 0
        await self.cycles(1)

    async def cycles(self, count: int) -> None:
        from cocotb.triggers import ClockCycles

        await ClockCycles(self.dut.clk, count)

    def stall(self) -> None:
        """Random back-pressure on every channel, and waits before every request."""
        write, read = self.master.write_if, self.master.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel)
        for channel in (*channels, read.ar_channel, read.r_channel):
            pattern = [self.random.random() < 0.4 for _ in range(self.random.randint(97, 199))]
            channel.set_pause_generator(itertools.cycle(pattern))

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
        # The master itself has the lowest bytes written of a word, and no address but theirs.
        await write.aw_channel.send(aw)
        await write.w_channel.send(w)
        return int((await write.b_channel.recv()).bresp)

    async def read(self, register) -> int:
        return await self.read_at(register.offset)

    async def read_at(self, address: int) -> int:
        """Read, and compare with the model."""
        from cocotbext.axi import AxiResp

        answer = await self.master.read(address, 4 - address % 4)
        data, error = self.model.read(address)
        assert answer.resp == (AxiResp.SLVERR if error else AxiResp.OKAY)
        value = int.from_bytes(answer.data, "little")
        assert (hex(address), hex(value)) == (hex(address), hex(data >> 8 * (address % 4)))
        return value

    async def end(self) -> None:
        """Wait until the device is idle, then let the model be."""
        for _ in range(MOST_POLLS):
            answer = await self.master.read(STATUS.offset, 4)
            if not BUSY.of(int.from_bytes(answer.data, "little")):
                break
            await self.cycles(20)
        else:
            raise AssertionError("busy for ever")
        self.model.finish(self._given[self._used :])
        self._used = len(self._given)
        assert not self.model.busy
        await self.read(STATUS)
        await self.read(INTERRUPTS)
        assert bool(self.dut.interrupt.value) == self.model.interrupt

    def check(self) -> None:
        """No rule of the specification was broken."""
        assert not int(self.dut.slave_broke.value)
        assert not int(self.dut.master_broke.value)

    async def _entropy(self) -> None:
        """Random bytes, of which some are zero, now and then none."""
        from cocotb.triggers import RisingEdge

        byte = 0
        while True:
            offered = not self.starved and self.random.random() < 0.7
            byte = self.random.choice((0, self.random.randrange(256)))
            self.dut.entropy_valid.value = int(offered)
            self.dut.entropy_data.value = byte
            await RisingEdge(self.dut.clk)
            while offered and not (int(self.dut.entropy_ready.value) and not self.dut.reset.value):
                await RisingEdge(self.dut.clk)
            if offered:
                self._given.append(byte)
