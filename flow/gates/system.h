// Programs on a processor system: every lane has a memory of its own and goes its own way. The
// semantics are those of the engines of systems (sim/system.py) without stalls; messages that are
// not valid stay as they were, so that an idle bus costs no energy.

#pragma once

#include <cstring>

#include "gates.h"

// A message's port: its nets, bit 0 first.
struct Port {
    const int32_t* nets;
    int64_t bits, valid_net, ready_net;
};

struct Field {
    int64_t lsb, width;
};

struct RequestFields {
    Field type, opaque, addr, len, data;
};

struct ResponseFields {
    Field type, opaque, test, len, data;
};

// What a lane's program did.
struct Program {
    int64_t ended, cause, pc, inst, value;
    int64_t cycles, instructions, measured_cycles, measured_instructions, messages, inputs_taken;
};

// Mirrored field by field in system.py.
struct SystemSimulation {
    Netlist netlist;
    Port instruction_request, instruction_response, data_request, data_response, message, input;
    RequestFields request;
    ResponseFields response;
    const int32_t *cause_nets, *pc_nets, *inst_nets, *value_nets;
    int64_t stats_en_net, commit_inst_net, trap_val_net;
    int64_t cause_bits, word_bits;
    uint8_t* memories;        // a memory per lane
    int64_t memory_nbytes, latency;
    uint32_t* messages;       // lane, message
    int64_t max_messages;
    const uint32_t* inputs;   // lane, input
    const int64_t* input_counts;
    int64_t max_inputs;
    Program* programs;        // result: per lane
    int64_t lanes, max_cycles;
    volatile int64_t stop;    // set by another thread to end the run
};

// Memory behind one port of every lane: requests are answered in order, `latency` cycles later.
class MemorySide {
  public:
    MemorySide(SystemSimulation& simulation, Gates& gates, const Port& request, const Port& response)
        : s{simulation}, gates{gates}, request{request}, response{response},
          queues(s.lanes, Queue(s.latency + 1)) {
        gates.add_input(request.ready_net);
        gates.add_input(response.valid_net);
        for (int64_t i = 0; i < response.bits; i++) gates.add_input(response.nets[i]);
    }

    void drive(int64_t cycle, Word active) {
        ready = ZEROS;
        for_each_lane(active, [&](int lane) {
            Queue& queue = queues[lane];
            const Word bit = Word{1} << lane;
            if (queue.count < queue.entries.size()) ready |= bit;
            const Entry& next = queue.entries[queue.first];
            if (!(valid & bit) && queue.count && next.due <= cycle) {
                valid |= bit;
                answer(lane, next);
            }
        });
        gates.set(request.ready_net, ready);
        gates.set(response.valid_net, valid);
    }

    // Carries out, behind the clock edge, what was transferred in the settled cycle.
    void sample(Word active) {
        accepted = active & ready & gates.get(request.valid_net);
        answered = active & valid & gates.get(response.ready_net);
        for_each_lane(accepted, [&](int lane) { queues[lane].accepted = read(lane); });
    }

    void transfer(int64_t cycle) {
        for_each_lane(answered, [&](int lane) {
            Queue& queue = queues[lane];
            queue.first = queue.next(queue.first);
            queue.count--;
        });
        valid &= ~answered;
        for_each_lane(accepted, [&](int lane) {
            Queue& queue = queues[lane];
            Entry& entry = queue.entries[queue.last];
            entry = queue.accepted;
            entry.due = cycle + s.latency;
            access(lane, entry);
            queue.last = queue.next(queue.last);
            queue.count++;
        });
    }

  private:
    static constexpr uint32_t READ = 0, WRITE = 1, OUTSIDE = 1;

    struct Entry {
        uint32_t type, opaque, addr, len, data, test;
        int64_t due;
    };

    struct Queue {
        explicit Queue(size_t size) : entries(size) {}
        size_t next(size_t index) const { return index + 1 == entries.size() ? 0 : index + 1; }

        std::vector<Entry> entries;
        size_t first = 0, last = 0, count = 0;
        Entry accepted = {};
    };

    uint32_t field(int lane, Field field) const {
        return static_cast<uint32_t>(gates.number(request.nets + field.lsb, field.width, lane));
    }

    Entry read(int lane) const {
        const RequestFields& f = s.request;
        return {field(lane, f.type), field(lane, f.opaque), field(lane, f.addr),
                field(lane, f.len),  field(lane, f.data),   0, 0};
    }

    void show(int lane, Field field, uint32_t value) {
        gates.set_number(response.nets + field.lsb, field.width, lane, value);
    }

    void answer(int lane, const Entry& entry) {
        const ResponseFields& f = s.response;
        show(lane, f.type, entry.type);
        show(lane, f.opaque, entry.opaque);
        show(lane, f.test, entry.test);
        show(lane, f.len, entry.len);
        show(lane, f.data, entry.data);
    }

    void access(int lane, Entry& entry) {
        uint8_t* memory = s.memories + lane * s.memory_nbytes;
        const uint64_t address = entry.addr, nbytes = entry.len ? entry.len : 4;
        const uint32_t written = entry.data;
        entry.data = 0;
        if ((entry.type != READ && entry.type != WRITE) ||
            address + nbytes > static_cast<uint64_t>(s.memory_nbytes)) {
            entry.test = OUTSIDE;
        } else if (entry.type == READ) {
            std::memcpy(&entry.data, memory + address, nbytes);
        } else {
            std::memcpy(memory + address, &written, nbytes);
        }
    }

    SystemSimulation& s;
    Gates& gates;
    const Port& request;
    const Port& response;
    std::vector<Queue> queues;
    Word ready = ZEROS, valid = ZEROS, accepted = ZEROS, answered = ZEROS;
};

class SystemBench {
  public:
    enum Outcome : int32_t { DONE, TIMEOUT, STOPPED };

    explicit SystemBench(SystemSimulation& simulation)
        : s{simulation},
          gates{s.netlist},
          instructions{s, gates, s.instruction_request, s.instruction_response},
          data{s, gates, s.data_request, s.data_response} {
        gates.add_input(s.message.ready_net);
        gates.add_input(s.input.valid_net);
        for (int64_t i = 0; i < s.input.bits; i++) gates.add_input(s.input.nets[i]);
    }

    // A lane counts until the cycle that shows the end of its program, that one included.
    Outcome run() {
        gates.reset();
        Word running = s.lanes == LANES ? ONES : (Word{1} << s.lanes) - 1;
        gates.set(s.message.ready_net, ONES);
        for (int64_t cycle = 0; cycle < s.max_cycles; cycle++) {
            instructions.drive(cycle, running);
            data.drive(cycle, running);
            drive_inputs(running);
            gates.settle(running);
            running = observe(cycle, running);
            if (!running) return DONE;
            if (s.stop) return STOPPED;
            instructions.sample(running);
            data.sample(running);
            take_messages(running);
            take_inputs(running);
            gates.clock();
            instructions.transfer(cycle);
            data.transfer(cycle);
        }
        return TIMEOUT;
    }

  private:
    // Registers' outputs in the cycle; returns the lanes that go on.
    Word observe(int64_t cycle, Word running) {
        const Word measured = gates.get(s.stats_en_net), commits = gates.get(s.commit_inst_net);
        const Word ended = running & gates.get(s.trap_val_net);
        for_each_lane(running, [&](int lane) {
            Program& program = s.programs[lane];
            program.cycles = cycle;
            program.instructions += commits >> lane & 1;
            program.measured_cycles += measured >> lane & 1;
            program.measured_instructions += (measured & commits) >> lane & 1;
        });
        for_each_lane(ended, [&](int lane) {
            Program& program = s.programs[lane];
            program.ended = 1;
            program.cause = gates.number(s.cause_nets, s.cause_bits, lane);
            program.pc = gates.number(s.pc_nets, s.word_bits, lane);
            program.inst = gates.number(s.inst_nets, s.word_bits, lane);
            program.value = gates.number(s.value_nets, s.word_bits, lane);
        });
        return running & ~ended;
    }

    void take_messages(Word running) {
        for_each_lane(running & gates.get(s.message.valid_net), [&](int lane) {
            Program& program = s.programs[lane];
            if (program.messages < s.max_messages)
                s.messages[lane * s.max_messages + program.messages] =
                    static_cast<uint32_t>(gates.number(s.message.nets, s.message.bits, lane));
            program.messages++;
        });
    }

    void drive_inputs(Word running) {
        for_each_lane(running & ~offered, [&](int lane) {
            const int64_t taken = s.programs[lane].inputs_taken;
            if (taken == s.input_counts[lane]) return;
            offered |= Word{1} << lane;
            const uint32_t value = s.inputs[lane * s.max_inputs + taken];
            gates.set_number(s.input.nets, s.input.bits, lane, value);
        });
        gates.set(s.input.valid_net, offered);
    }

    void take_inputs(Word running) {
        const Word taken = running & offered & gates.get(s.input.ready_net);
        for_each_lane(taken, [&](int lane) { s.programs[lane].inputs_taken++; });
        offered &= ~taken;
    }

    SystemSimulation& s;
    Gates gates;
    MemorySide instructions, data;
    Word offered = ZEROS;  // Lanes whose input is valid.
};
