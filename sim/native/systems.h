// Runs programs on a system: a circuit with the ports of a processor (proc.ports).
//
// The docstring of sim.system defines each cycle; the pymtl engine behaves the same. Every lane has
// its own memory and its own handshakes; stalls and resets are the same in all lanes.

#include <memory>

#include "bench.h"

namespace {

// Bits `lsb` to `lsb + nbits - 1` of a message.
struct Field {
    size_t lsb, nbits;

    uint32_t of(const uint32_t* message) const {
        uint64_t both = message[lsb / 32];
        if (lsb % 32 + nbits > 32) both |= static_cast<uint64_t>(message[lsb / 32 + 1]) << 32;
        return static_cast<uint32_t>(both >> lsb % 32 & ((UINT64_C(1) << nbits) - 1));
    }
    uint64_t put(uint32_t value) const { return static_cast<uint64_t>(value) << lsb; }
};

#include "memory_messages.h"

static_assert(RESPONSE_NBITS <= 64);

enum Channel { IMEM_REQ, IMEM_RESP, DMEM_REQ, DMEM_RESP, MNGR2PROC, PROC2MNGR };

// One port of the memory: answers requests in order, `latency` cycles after acceptance.
template <class Circuit> class MemorySide {
  public:
    // Signals of the interface; imem and dmem have signals of the same types.
    struct Ports {
        decltype(Circuit::Ports::imem_req_msg) req_msg;
        decltype(Circuit::Ports::imem_req_val) req_val;
        decltype(Circuit::Ports::imem_req_rdy) req_rdy;
        decltype(Circuit::Ports::imem_resp_msg) resp_msg;
        decltype(Circuit::Ports::imem_resp_val) resp_val;
        decltype(Circuit::Ports::imem_resp_rdy) resp_rdy;
    };

    MemorySide(SystemBatch& batch, Ports ports) : b{batch}, port{ports} {
        for (Queue& queue : queues) {
            queue.size = b.latency + 1;
            queue.answers = std::make_unique<Answer[]>(queue.size);
        }
    }

    void rest(Lanes lanes) {
        valid &= ~lanes;
        port.req_rdy.set(0);
        port.resp_val.set(valid);
        each(lanes, [&](int l) INLINED {
            Queue& queue = queues[l];
            queue.first = queue.last = queue.count = 0;
            drive_nothing(l);
        });
    }

    // Sets the inputs for a cycle; an offered response stays until it is taken.
    void drive(uint64_t cycle, Lanes running, bool accepts, bool answers_now) {
        Lanes taking = 0, showing = valid;
        each(running, [&](int l) INLINED {
            const Queue& queue = queues[l];
            const Lanes bit = Lanes{1} << l;
            if (accepts && queue.count < queue.size) taking |= bit;
            if (!(showing & bit) && answers_now && queue.count &&
                queue.answers[queue.first].due <= cycle) {
                showing |= bit;
                const uint64_t message = queue.answers[queue.first].message;
                const uint32_t halves[] = {static_cast<uint32_t>(message),
                                           static_cast<uint32_t>(message >> 32)};
                port.resp_msg.write(l, halves);
            }
        });
        ready = taking;
        valid = showing;
        port.req_rdy.set(taking);
        port.resp_val.set(showing);
    }

    // Finds the handshakes of a settled cycle; `transfer` performs them after the clock edge.
    void sample(Lanes running) {
        accepting = running & ready & port.req_val.get();
        answering = running & valid & port.resp_rdy.get();
        each(accepting, [&](int l) INLINED { port.req_msg.read(l, queues[l].request); });
    }

    void transfer(uint64_t cycle) {
        valid &= ~answering;
        each(answering, [&](int l) INLINED {
            Queue& queue = queues[l];
            queue.first = queue.next(queue.first);
            queue.count--;
            drive_nothing(l);
        });
        each(accepting, [&](int l) INLINED {
            Queue& queue = queues[l];
            queue.answers[queue.last] = {access(l, queue.request), cycle + b.latency};
            queue.last = queue.next(queue.last);
            queue.count++;
        });
    }

  private:
    static constexpr uint32_t READ = 0, WRITE = 1, OUTSIDE = 1;

    struct Answer {
        uint64_t message, due;
    };

    struct Queue {
        size_t next(size_t index) const { return index + 1 == size ? 0 : index + 1; }

        std::unique_ptr<Answer[]> answers;
        size_t size, first, last, count;
        uint32_t request[words(REQUEST_NBITS)];
    };

    template <class Function> INLINED static void each(Lanes lanes, Function function) {
        for_each_lane<Circuit>(lanes, function);
    }

    // Writes ones while no response is valid, so that a design that reads the message goes wrong.
    void drive_nothing([[maybe_unused]] int lane) {
        if constexpr (!Circuit::QUIET) port.resp_msg.write_ones(lane);
    }

    // Performs a request and returns the response.
    uint64_t access(int lane, const uint32_t* request) {
        const uint32_t kind = REQUEST_TYPE.of(request), len = REQUEST_LEN.of(request);
        const uint64_t address = REQUEST_ADDR.of(request), nbytes = len ? len : 4;
        uint8_t* memory = b.memories + lane * b.memory_nbytes;
        uint32_t test = 0, data = 0;
        if ((kind != READ && kind != WRITE) || address + nbytes > b.memory_nbytes) {
            test = OUTSIDE;
        } else if (kind == READ) {
            std::memcpy(&data, memory + address, nbytes);
        } else {
            const uint32_t written = REQUEST_DATA.of(request);
            std::memcpy(memory + address, &written, nbytes);
        }
        return RESPONSE_TYPE.put(kind) | RESPONSE_OPAQUE.put(REQUEST_OPAQUE.of(request)) |
               RESPONSE_TEST.put(test) | RESPONSE_LEN.put(len) | RESPONSE_DATA.put(data);
    }

    SystemBatch& b;
    Ports port;
    Queue queues[Circuit::LANES] = {};
    Lanes ready = 0, valid = 0, accepting = 0, answering = 0;
};

template <class Circuit> class SystemBench {
  public:
    SystemBench(Circuit& circuit, SystemBatch& batch, CallControl& control)
        : circuit{circuit},
          ports{circuit.ports},
          b{batch},
          programs{batch.programs},
          stop{control.stop},
          cycles{control.cycles},
          imem{batch, {ports.imem_req_msg, ports.imem_req_val, ports.imem_req_rdy,
                       ports.imem_resp_msg, ports.imem_resp_val, ports.imem_resp_rdy}},
          dmem{batch, {ports.dmem_req_msg, ports.dmem_req_val, ports.dmem_req_rdy,
                       ports.dmem_resp_msg, ports.dmem_resp_val, ports.dmem_resp_rdy}},
          random{batch.seed} {}

    RunOutcome run();

  private:
    template <class Function> INLINED static void each(Lanes lanes, Function function) {
        for_each_lane<Circuit>(lanes, function);
    }

    // All stalls of a cycle come from one random number, one byte for each channel.
    void draw() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
    }
    bool goes(Channel channel) const {
        return (random >> 8 * (channel + 1) & 0xFF) >= b.stalls[channel];
    }

    void drive_no_input([[maybe_unused]] int lane) {
        if constexpr (!Circuit::QUIET) ports.mngr2proc_msg.write_ones(lane);
    }

    void drive_rest(Lanes lanes) {
        imem.rest(lanes);
        dmem.rest(lanes);
        offered &= ~lanes;
        ports.mngr2proc_val.set(offered);
        ports.proc2mngr_rdy.set(0);
        each(lanes, [&](int l) INLINED { drive_no_input(l); });
    }

    void restart(Lanes lanes);
    Lanes observe(uint64_t cycle, Lanes running);
    void drive(uint64_t cycle, Lanes running);
    void transfer(uint64_t cycle, Lanes running);

    Circuit& circuit;
    typename Circuit::Ports& ports;
    SystemBatch& b;
    ProgramResult* const programs;
    const volatile uint64_t& stop;
    volatile uint64_t& cycles;
    MemorySide<Circuit> imem, dmem;
    uint64_t random;
    Lanes offered = 0;  // Lanes with a valid input.
};

// Restarts the programs and their memories; messages that were sent are kept.
template <class Circuit> void SystemBench<Circuit>::restart(Lanes lanes) {
    each(lanes, [&](int l) INLINED {
        ProgramResult& program = programs[l];
        program.instructions = program.measured_cycles = program.measured_instructions = 0;
        program.inputs_taken = 0;
        program.messages_before_reset = program.messages;
        const size_t start = l * b.memory_nbytes;
        std::memcpy(b.memories + start, b.images + start, b.memory_nbytes);
    });
    drive_rest(lanes);
}

// Counts instructions and measured cycles, and notes programs that end; returns the lanes that
// still run. The outputs that it reads come from registers.
template <class Circuit> Lanes SystemBench<Circuit>::observe(uint64_t cycle, Lanes running) {
    const Lanes measured = ports.stats_en.get(), commits = ports.commit_inst.get();
    const Lanes ended = running & ports.trap_val.get();
    each(running, [&](int l) INLINED {
        ProgramResult& program = programs[l];
        program.instructions += commits >> l & 1;
        program.measured_cycles += measured >> l & 1;
        program.measured_instructions += (measured & commits) >> l & 1;
    });
    each(ended, [&](int l) INLINED {
        ProgramResult& program = programs[l];
        program.ended = 1;
        program.cycles = cycle;
        program.cause = ports.trap_cause.number(l);
        program.pc = ports.trap_pc.number(l);
        program.inst = ports.trap_inst.number(l);
        program.value = ports.trap_value.number(l);
    });
    return running & ~ended;
}

template <class Circuit> void SystemBench<Circuit>::drive(uint64_t cycle, Lanes running) {
    imem.drive(cycle, running, goes(IMEM_REQ), goes(IMEM_RESP));
    dmem.drive(cycle, running, goes(DMEM_REQ), goes(DMEM_RESP));
    if (goes(MNGR2PROC)) {
        each(running & ~offered, [&](int l) INLINED {
            const uint64_t next = programs[l].inputs_taken;
            if (next == b.input_counts[l]) return;
            offered |= Lanes{1} << l;
            ports.mngr2proc_msg.write(l, b.inputs + l * b.max_inputs + next);
        });
    }
    ports.mngr2proc_val.set(offered);
    ports.proc2mngr_rdy.set(goes(PROC2MNGR) ? running : 0);
}

// Performs the clock edge of a settled cycle, with all its handshakes.
template <class Circuit> void SystemBench<Circuit>::transfer(uint64_t cycle, Lanes running) {
    imem.sample(running);
    dmem.sample(running);
    const Lanes takes = running & offered & ports.mngr2proc_rdy.get();
    const Lanes sends = goes(PROC2MNGR) ? running & ports.proc2mngr_val.get() : 0;
    each(sends, [&](int l) INLINED {
        programs[l].messages++;
        b.message(l, ports.proc2mngr_msg.number(l));
    });
    circuit.edge();
    imem.transfer(cycle);
    dmem.transfer(cycle);
    each(takes, [&](int l) INLINED {
        programs[l].inputs_taken++;
        drive_no_input(l);
    });
    offered &= ~takes;
}

template <class Circuit> RunOutcome SystemBench<Circuit>::run() {
    const bool stalls = [this] {
        uint64_t any = 0;
        for (uint64_t chance : b.stalls) any |= chance;
        return any != 0;
    }();
    const uint64_t reset_at = static_cast<uint64_t>(b.reset_at);
    const Lanes all = first_lanes(b.lanes);
    Lanes running = all;
    RunOutcome outcome = DONE;
    uint64_t cycle = 0;
    cycles = 0;
    const uint32_t core_id = static_cast<uint32_t>(b.core_id);
    each(all, [&](int l) INLINED { ports.core_id.write(l, &core_id); });
    drive_rest(all);
    circuit.hold_reset(b.power_up_cycles);
    circuit.open_window();
    while (cycle < b.max_cycles) {
        if (cycle == reset_at) {
            restart(running);
            circuit.hold_reset(b.reset_cycles);
            cycles = cycle += b.reset_cycles;
            continue;
        }
        // If the outputs of registers are valid before `settle`, observe them here: the trace then
        // has no cycle after the end.
        if constexpr (Circuit::EDGE_SHOWS_REGISTERS) running = observe(cycle, running);
        if (!running) break;
        if (stalls) draw();
        drive(cycle, running);
        circuit.settle(running);
        if constexpr (!Circuit::EDGE_SHOWS_REGISTERS) running = observe(cycle, running);
        if (!running) break;
        transfer(cycle, running);
        cycles = ++cycle;
        if (stop) {
            outcome = STOPPED;
            break;
        }
    }
    each(running, [&](int l) INLINED { programs[l].cycles = cycle; });
    drive_rest(all);
    circuit.close(0);
    return outcome;
}

}  // namespace
