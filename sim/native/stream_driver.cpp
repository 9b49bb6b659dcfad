// Runs a batch of requests through one component with a request and a response stream.
//
// Included after the generated part, which defines DUT_RECV_MSG and its like as the names of the
// component's ports, DUT_TRACE_VCD or DUT_TRACE_SAIF in traced builds, and the widths in bits.
// The semantics are those of sim.engine.run; the pymtl engine has them too, cycle by cycle.

#include "Dut.h"
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#if defined(DUT_TRACE_VCD)
#include "verilated_vcd_c.h"
using Trace = VerilatedVcdC;
#define DUT_TRACED
#elif defined(DUT_TRACE_SAIF)
#include "verilated_saif_c.h"
using Trace = VerilatedSaifC;
#define DUT_TRACED
#endif

// What Dut::eval() calls after its bookkeeping for messages, of which there are none: a small design
// runs four times as fast without. The name is Verilator's own business, its version is in the key.
void Dut___024root___eval(Dut___024root*);

// Verilator's own versions end the process, and with it the Python that called.
void vl_fatal(const char*, int, const char*, const char* message) {
    throw std::runtime_error(message);
}
void vl_stop(const char*, int, const char*) { throw std::runtime_error("$stop"); }
void vl_finish(const char*, int, const char*) { throw std::runtime_error("$finish"); }

namespace {

enum Outcome : int32_t { DONE, TIMEOUT, UNEXPECTED, STOPPED, FAILED };

constexpr uint64_t HALF_CYCLE = 500;  // Time units of a trace.

constexpr size_t words(size_t nbits) { return (nbits + 31) / 32; }
constexpr size_t REQUEST_WORDS = words(DUT_REQUEST_NBITS);
constexpr size_t RESPONSE_WORDS = words(DUT_RESPONSE_NBITS);

// 32-bit words, least significant first, to and from Verilator's port types.
template <class Narrow> void put(Narrow& port, const uint32_t* from) {
    if constexpr (sizeof(Narrow) == 8) {
        port = from[0];
        if constexpr (REQUEST_WORDS > 1) port |= static_cast<QData>(from[1]) << 32;
    } else {
        port = static_cast<Narrow>(from[0]);
    }
}
template <std::size_t N> void put(VlWide<N>& port, const uint32_t* from) {
    std::memcpy(port.data(), from, N * sizeof *from);
}
template <class Narrow> void get(uint32_t* to, const Narrow& port) {
    to[0] = static_cast<uint32_t>(port);
    if constexpr (sizeof(Narrow) == 8) to[1] = static_cast<uint32_t>(port >> 32);
}
template <std::size_t N> void get(uint32_t* to, const VlWide<N>& port) {
    std::memcpy(to, port.data(), N * sizeof *to);
}

}  // namespace

// Mirrored field by field in engine.py.
struct StreamBatch {
    const uint32_t* requests;
    uint32_t* responses;
    const uint64_t* source_delay;
    const uint64_t* sink_delay;
    int64_t* accepted_at;
    int64_t* valid_at;
    int64_t* taken_at;
    uint64_t count;
    uint64_t in_flight;
    uint64_t max_idle;
    int64_t reset_at;
    const char* trace_path;
    volatile uint64_t stop;  // Set by another thread to end the run.
    uint64_t cycles;
    uint64_t accepted;
    uint64_t answered;
    char error[256];
};

namespace {

class Bench {
  public:
    explicit Bench(StreamBatch& batch)
        : b{batch}, dut{&context, "TOP"} {
#ifdef DUT_TRACE_VCD
        if (b.trace_path) open_trace();
#endif
    }

    ~Bench() { dut.final(); }

    Outcome run();

  private:
    // Outside reset: one evaluation settles the combinational paths from the inputs (and lets
    // Verilator see the low clock), one is the rising edge. Nothing else needs evaluating.
    void settle() {
        dump();
        dut.DUT_CLK = 0;
        Dut___024root___eval(dut.rootp);
        dump();
    }

    void edge() {
        dut.DUT_CLK = 1;
        Dut___024root___eval(dut.rootp);
    }

    // The message changes with each request, and again when it is withdrawn: in between, every bit
    // is the opposite of the next request's. Energy is measured on a quiet bus instead.
    void drive_idle(uint64_t next) {
        dut.DUT_RECV_VAL = 0;
#ifndef DUT_TRACE_SAIF
        if (b.count == 0) return;
        const uint64_t shown = next < b.count ? next : b.count - 1;
        uint32_t inverted[REQUEST_WORDS];
        for (size_t w = 0; w < REQUEST_WORDS; w++)
            inverted[w] = ~b.requests[shown * REQUEST_WORDS + w];
        constexpr size_t top_bits = DUT_REQUEST_NBITS % 32;
        if (top_bits) inverted[REQUEST_WORDS - 1] &= (UINT32_C(1) << top_bits) - 1;
        put(dut.DUT_RECV_MSG, inverted);
#endif
    }

    void drive_request(uint64_t next) {
        dut.DUT_RECV_VAL = 1;
        put(dut.DUT_RECV_MSG, b.requests + next * REQUEST_WORDS);
    }

    void hold_reset(int cycles, uint64_t next) {
        dut.DUT_RESET = 1;
        drive_idle(next);
        dut.DUT_SEND_RDY = 0;
        for (int i = 0; i < cycles; i++) {
            settle();
            edge();
        }
        dut.DUT_RESET = 0;
    }

#ifdef DUT_TRACED
    void open_trace() {
        context.traceEverOn(true);
        trace = std::make_unique<Trace>();
        dut.trace(trace.get(), 99);
        trace->open(b.trace_path);
        if (!trace->isOpen()) throw std::runtime_error("cannot write the trace");
    }

    // Called with the clock high and the inputs of the new cycle driven, then with the clock low.
    void dump() {
        if (!trace) return;
        dut.eval();
        trace->dump(time);
        time += HALF_CYCLE;
    }

    // The window starts before the first request is offered and ends after the last response, both
    // times in an idle cycle: with no request at all, nothing but these two remains.
    void open_window() {
#ifdef DUT_TRACE_SAIF
        if (!b.trace_path) return;
        open_trace();
        dump();
        time += HALF_CYCLE;
#endif
    }

    void close_trace() {
        if (!trace) return;
        drive_idle(b.count);
        dut.DUT_SEND_RDY = 0;
        dump();
        trace->close();
    }

#else
    void dump() {}
    void open_window() {}
    void close_trace() {}
#endif

    StreamBatch& b;
    VerilatedContext context;
    Dut dut;
#ifdef DUT_TRACED
    std::unique_ptr<Trace> trace;
    uint64_t time = 0;
#endif
};

Outcome Bench::run() {
    const uint64_t count = b.count;
    uint64_t cycle = 0, accepted = 0, answered = 0, idle_since = 0;
    uint64_t source_at = count ? b.source_delay[0] : 0;
    uint64_t sink_at = count ? b.sink_delay[0] : 0;
    bool seen = false, offered = false;
    Outcome outcome = DONE;

    dut.eval();
    hold_reset(DUT_RESET_CYCLES, 0);
    open_window();
    while (answered < count) {
        if (static_cast<int64_t>(cycle) == b.reset_at) {
            hold_reset(DUT_RESET_IN_FLIGHT_CYCLES, accepted);
            cycle += DUT_RESET_IN_FLIGHT_CYCLES;
            answered = accepted;
            idle_since = cycle;
            seen = offered = false;
            if (accepted < count) {
                source_at = cycle + b.source_delay[accepted];
                sink_at = cycle + b.sink_delay[accepted];
            }
            continue;
        }
        if (!offered && accepted < count && cycle >= source_at &&
            accepted - answered < b.in_flight) {
            offered = true;
            drive_request(accepted);
        }
        const bool ready = cycle >= sink_at;
        dut.DUT_SEND_RDY = ready;
        settle();
        const bool accept = offered && dut.DUT_RECV_RDY;
        const bool valid = dut.DUT_SEND_VAL;
        if (valid) {
            if (answered == accepted && (!offered || (ready && !accept))) {
                outcome = UNEXPECTED;
                break;
            }
            if (!seen) {
                seen = true;
                b.valid_at[answered] = cycle;
            }
            if (ready) {
                get(b.responses + answered * RESPONSE_WORDS, dut.DUT_SEND_MSG);
                b.taken_at[answered] = cycle;
            }
        }
        edge();
        cycle++;
        if (accept) {
            b.accepted_at[accepted] = cycle - 1;
            accepted++;
            idle_since = cycle;
            offered = false;
            drive_idle(accepted);
            if (accepted < count) source_at = cycle + b.source_delay[accepted];
        }
        if (valid && ready) {
            answered++;
            idle_since = cycle;
            seen = false;
            if (answered < count) sink_at = cycle + b.sink_delay[answered];
        }
        if (cycle - idle_since >= b.max_idle) {
            outcome = TIMEOUT;
            break;
        }
        if (b.stop) {
            outcome = STOPPED;
            break;
        }
    }
    close_trace();
    b.cycles = cycle;
    b.accepted = accepted;
    b.answered = answered;
    return outcome;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int32_t run_stream_batch(StreamBatch* batch) {
    try {
        return Bench{*batch}.run();
    } catch (const std::exception& error) {
        std::snprintf(batch->error, sizeof batch->error, "%s", error.what());
        return FAILED;
    }
}
