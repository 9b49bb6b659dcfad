"""Records what retires at the RISC-V formal interface, and compares it with the simulator."""

from pymtl3 import update_ff

from rsaxcel.proc.isa import Cause, decode
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.kinds import ProcXcel
from rsaxcel.proc.rvfi.processor import RVFI_PORTS
from rsaxcel.proc.semantics import LOADS, STORES
from tests.proc.components import PlainRegisters


class Recorded(ProcXcel):
    """A system that records the interface of its processor in each cycle with ``rvfi_valid``.

    A run ends before the clock edge of its last cycle: ``note`` has to be called once more then.
    """

    def construct(s, processor, accelerator):
        ProcXcel.construct(s, processor, accelerator)
        s.retired = []

        @update_ff
        def seq_record():
            s.note()

    def note(s):
        if s.reset:
            s.retired.clear()
        elif s.proc.rvfi_valid:
            values = {name: int(getattr(s.proc, f"rvfi_{name}")) for name in RVFI_PORTS}
            s.retired.append(values)


def masked(data, mask):
    """Bytes of a word that a mask of the interface selects; they are its lowest ones."""
    assert mask in (0, 1, 3, 15)
    return (data & 0xFFFFFFFF).to_bytes(4, "little")[: mask.bit_length()]


def read_registers(word):
    """Numbers of the registers that an instruction reads; 0 for none. ``ecall`` reads a0."""
    decoded = decode(word)
    if decoded is None:
        return 0, 0
    if decoded.name == "ecall":
        return 10, 0
    entry = decoded.instruction
    return entry.reads_rs1 * decoded.rs1, entry.reads_rs2 * decoded.rs2


def accessed(word, fails):
    """Masks of the bytes that an instruction reads and writes; none if it fails."""
    decoded = decode(word)
    name = decoded.name if decoded and not fails else ""
    nbytes = LOADS.get(name, (0,))[0], STORES.get(name, 0)
    return tuple((1 << n) - 1 for n in nbytes)


def compare(case, retired):
    """Compare each instruction that has retired with the simulator's.

    Raises AssertionError if one differs. An instruction of the accelerator or the manager has the
    result that the golden models give.
    """
    image, inputs = case.image(), iter(case.inputs)
    registers = PlainRegisters()
    simulator = Simulator(
        image.memory,
        image.entry,
        mngr2proc=lambda: next(inputs, None),
        xcel_read=registers.read,
        xcel_write=registers.write,
    )
    for order, found in enumerate(retired):
        assert simulator.end is None, "an instruction retires after the end"
        pc, before = simulator.pc, list(simulator.registers)
        address, memory = found["mem_addr"], simulator.memory
        read = bytes(memory[address : address + found["mem_rmask"].bit_length()])
        word = int.from_bytes(memory[pc : pc + 4], "little")
        kept = bytes(memory[address - 8 & ~3 : address + 12])
        end = simulator.run(order + 1)
        assert (found["order"], found["pc_rdata"], found["insn"]) == (order, pc, word)
        constants = [found[name] for name in ("valid", "intr", "mode", "ixl")]
        assert constants == [1, 0, 3, 1]
        assert (found["rs1_addr"], found["rs2_addr"]) == read_registers(word), (order, found)
        for name in ("rs1", "rs2"):
            assert found[f"{name}_rdata"] == before[found[f"{name}_addr"]], (order, name)
        fails = end is not None and end.cause.is_fault
        assert (found["trap"], found["halt"]) == (fails, end is not None)
        assert (found["mem_rmask"], found["mem_wmask"]) == accessed(word, fails), (order, found)
        if found["mem_rmask"] | found["mem_wmask"]:
            assert address == found["rs1_rdata"] + decode(word).imm & 0xFFFFFFFF
        after = list(before)
        after[found["rd_addr"]] = found["rd_wdata"]
        assert after == simulator.registers, (order, found)
        assert masked(found["mem_rdata"], found["mem_rmask"]) == read
        written = bytes(memory[address : address + found["mem_wmask"].bit_length()])
        assert masked(found["mem_wdata"], found["mem_wmask"]) == written
        if not found["mem_wmask"]:
            assert kept == bytes(memory[address - 8 & ~3 : address + 12]), (order, found)
        if end is None:
            assert found["pc_wdata"] == simulator.pc, (order, found)
        elif end.cause is Cause.SELF_JUMP:
            assert found["pc_wdata"] == pc
    assert simulator.end is not None, "instructions are missing"
    return simulator
