// Runs a program on a system: a component with the ports of a processor (proc.ports).
//
// Included after model.h. The semantics are those of sim.system.run_system; the pymtl engine has them
// too, cycle by cycle.

#include <vector>

namespace {

enum Outcome : int32_t { DONE, STOPPED, FAILED };
enum Channel { IMEM_REQ, IMEM_RESP, DMEM_REQ, DMEM_RESP, MNGR2PROC, PROC2MNGR, CHANNELS };

}  // namespace

// Mirrored field by field in system_engine.py.
struct SystemBatch {
    uint8_t* memory;
    const uint8_t* image;  // What the memory holds at the start, and again after a reset.
    uint64_t memory_nbytes;
    const uint32_t* inputs;
    uint64_t input_count;
    void (*message)(uint32_t);
    uint64_t latency;
    uint64_t max_cycles;
    uint64_t power_up_seed;
    uint64_t power_up_cycles;
    int64_t reset_at;
    uint64_t reset_cycles;
    uint64_t stalls[CHANNELS];  // Chances in 256.
    uint64_t seed;
    uint64_t core_id;
    const char* trace_path;
    volatile uint64_t stop;  // Set by another thread to end the run.
    volatile uint64_t cycles;  // Read by another thread.
    uint64_t instructions;
    uint64_t measured_cycles;
    uint64_t measured_instructions;
    uint64_t inputs_taken;
    uint64_t messages;
    uint64_t messages_before_reset;
    uint64_t ended;
    uint64_t cause;
    uint64_t pc;
    uint64_t inst;
    uint64_t value;
    char error[256];
};

namespace {

constexpr uint32_t READ = 0, WRITE = 1, OUTSIDE = 1;

template <size_t LSB, size_t NBITS> uint32_t field(const uint32_t* from) {
    static_assert(NBITS <= 32);
    uint64_t both = from[LSB / 32];
    if constexpr (LSB % 32 + NBITS > 32) both |= static_cast<uint64_t>(from[LSB / 32 + 1]) << 32;
    return static_cast<uint32_t>(both >> LSB % 32 & ((UINT64_C(1) << NBITS) - 1));
}
#define REQUEST_FIELD(name) field<DUT_REQ_##name##_LSB, DUT_REQ_##name##_NBITS>(request)
#define RESPONSE_FIELD(name, value) (static_cast<QData>(value) << DUT_RESP_##name##_LSB)

// What a message port holds while nothing is valid: a design that reads it goes wrong. Energy is
// measured on a quiet bus instead.
constexpr uint32_t NOTHING[] = {0xFFFFFFFF, (UINT32_C(1) << (DUT_RESP_NBITS - 32)) - 1};
template <class Port> void drive_nothing([[maybe_unused]] Port& port) {
#ifndef DUT_TRACE_SAIF
    put(port, NOTHING);
#endif
}

// Signals of a memory interface.
struct MemoryPort {
    VlWide<words(DUT_REQ_NBITS)>& req_msg;
    const CData& req_val;
    CData& req_rdy;
    QData& resp_msg;
    CData& resp_val;
    const CData& resp_rdy;
};

// Memory behind one port: requests are answered in order, `latency` cycles later.
class MemorySide {
  public:
    MemorySide(SystemBatch& run, MemoryPort port)
        : b{run}, port{port}, due(run.latency + 1), answers(due.size()) {}

    void rest() {
        first = last = count = 0;
        port.req_rdy = port.resp_val = 0;
        drive_nothing(port.resp_msg);
    }

    // Inputs of a cycle. What has been shown stays.
    void drive(uint64_t cycle, bool accepts, bool answers_now) {
        port.req_rdy = accepts && count < due.size();
        if (!port.resp_val && answers_now && count && due[first] <= cycle) {
            port.resp_val = 1;
            port.resp_msg = answers[first];
        }
    }

    // Transfers of a settled cycle, to be carried out after its clock edge.
    void sample() {
        accepting = port.req_rdy && port.req_val;
        answering = port.resp_val && port.resp_rdy;
        if (accepting) get(request, port.req_msg);
    }

    void transfer(uint64_t cycle) {
        if (answering) {
            first = next(first);
            count--;
            port.resp_val = 0;
            drive_nothing(port.resp_msg);
        }
        if (accepting) {
            answers[last] = access();
            due[last] = cycle + b.latency;
            last = next(last);
            count++;
        }
    }

  private:
    size_t next(size_t index) const { return index + 1 == due.size() ? 0 : index + 1; }

    // Carries the request out; gives the response.
    QData access() {
        const uint32_t kind = REQUEST_FIELD(TYPE), len = REQUEST_FIELD(LEN);
        const uint64_t address = REQUEST_FIELD(ADDR), nbytes = len ? len : 4;
        uint32_t test = 0, data = 0;
        if ((kind != READ && kind != WRITE) || address + nbytes > b.memory_nbytes) {
            test = OUTSIDE;
        } else if (kind == READ) {
            std::memcpy(&data, b.memory + address, nbytes);
        } else {
            const uint32_t written = REQUEST_FIELD(DATA);
            std::memcpy(b.memory + address, &written, nbytes);
        }
        return RESPONSE_FIELD(TYPE, kind) | RESPONSE_FIELD(OPAQUE, REQUEST_FIELD(OPAQUE)) |
               RESPONSE_FIELD(TEST, test) | RESPONSE_FIELD(LEN, len) | RESPONSE_FIELD(DATA, data);
    }

    SystemBatch& b;
    MemoryPort port;
    std::vector<uint64_t> due;
    std::vector<QData> answers;
    size_t first = 0, last = 0, count = 0;
    bool accepting = false, answering = false;
    uint32_t request[words(DUT_REQ_NBITS)] = {};
};

class Bench : Model {
  public:
    explicit Bench(SystemBatch& run)
        : Model{run.trace_path, run.power_up_seed},
          b{run},
          imem{run, {dut.DUT_IMEM_REQ_MSG, dut.DUT_IMEM_REQ_VAL, dut.DUT_IMEM_REQ_RDY,
                     dut.DUT_IMEM_RESP_MSG, dut.DUT_IMEM_RESP_VAL, dut.DUT_IMEM_RESP_RDY}},
          dmem{run, {dut.DUT_DMEM_REQ_MSG, dut.DUT_DMEM_REQ_VAL, dut.DUT_DMEM_REQ_RDY,
                     dut.DUT_DMEM_RESP_MSG, dut.DUT_DMEM_RESP_VAL, dut.DUT_DMEM_RESP_RDY}} {}

    Outcome run();

  private:
    // All stalls of a cycle come from one random number, a byte each.
    void draw() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
    }
    bool goes(Channel channel) const {
        return (random >> 8 * (channel + 1) & 0xFF) >= b.stalls[channel];
    }

    void drive_rest() {
        imem.rest();
        dmem.rest();
        dut.DUT_MNGR2PROC_VAL = dut.DUT_PROC2MNGR_RDY = 0;
        drive_nothing(dut.DUT_MNGR2PROC_MSG);
    }

    void restart() {
        b.instructions = b.measured_cycles = b.measured_instructions = b.inputs_taken = 0;
        b.messages_before_reset = b.messages;
        std::memcpy(b.memory, b.image, b.memory_nbytes);
        drive_rest();
    }

    void drive(uint64_t cycle);
    void transfer(uint64_t cycle);

    SystemBatch& b;
    MemorySide imem, dmem;
    uint64_t random = 0;
};

void Bench::drive(uint64_t cycle) {
    imem.drive(cycle, goes(IMEM_REQ), goes(IMEM_RESP));
    dmem.drive(cycle, goes(DMEM_REQ), goes(DMEM_RESP));
    if (!dut.DUT_MNGR2PROC_VAL && b.inputs_taken < b.input_count && goes(MNGR2PROC)) {
        dut.DUT_MNGR2PROC_VAL = 1;
        put(dut.DUT_MNGR2PROC_MSG, b.inputs + b.inputs_taken);
    }
    dut.DUT_PROC2MNGR_RDY = goes(PROC2MNGR);
}

// The clock edge of a settled cycle, with all transfers of the cycle.
void Bench::transfer(uint64_t cycle) {
    imem.sample();
    dmem.sample();
    const bool takes_input = dut.DUT_MNGR2PROC_VAL && dut.DUT_MNGR2PROC_RDY;
    const bool sends = dut.DUT_PROC2MNGR_VAL && dut.DUT_PROC2MNGR_RDY;
    const uint32_t message = dut.DUT_PROC2MNGR_MSG;
    edge();
    imem.transfer(cycle);
    dmem.transfer(cycle);
    if (takes_input) {
        b.inputs_taken++;
        dut.DUT_MNGR2PROC_VAL = 0;
        drive_nothing(dut.DUT_MNGR2PROC_MSG);
    }
    if (sends) {
        b.messages++;
        b.message(message);
    }
}

Outcome Bench::run() {
    const bool stalls = [this] {
        uint64_t any = 0;
        for (uint64_t chance : b.stalls) any |= chance;
        return any != 0;
    }();
    Outcome outcome = DONE;
    uint64_t cycle = 0;
    b.cycles = 0;
    random = b.seed;
    dut.DUT_CORE_ID = static_cast<uint32_t>(b.core_id);
    restart();
    hold_reset(b.power_up_cycles);
    open_window();
    while (cycle < b.max_cycles) {
        if (static_cast<int64_t>(cycle) == b.reset_at) {
            restart();
            hold_reset(b.reset_cycles);
            b.cycles = cycle += b.reset_cycles;
            continue;
        }
        // These are registers' outputs, which are there after the clock edge: a trace ends without a
        // cycle in which nothing happens any more.
        const bool measured = dut.DUT_STATS_EN, commits = dut.DUT_COMMIT_INST;
        b.instructions += commits;
        b.measured_cycles += measured;
        b.measured_instructions += measured && commits;
        if (dut.DUT_TRAP_VAL) {
            b.ended = 1;
            b.cause = dut.DUT_TRAP_CAUSE;
            b.pc = dut.DUT_TRAP_PC;
            b.inst = dut.DUT_TRAP_INST;
            b.value = dut.DUT_TRAP_VALUE;
            break;
        }
        if (stalls) draw();
        drive(cycle);
        settle();
        transfer(cycle);
        b.cycles = ++cycle;
        if (b.stop) {
            outcome = STOPPED;
            break;
        }
    }
    drive_rest();
    close_trace();
    return outcome;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int32_t run_system(SystemBatch* run) {
    return guarded(run->error, FAILED, [run] { return Bench{*run}.run(); });
}
