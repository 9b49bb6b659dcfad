// Verilator's model behind a small interface, the same for every driver.
//
// Included after the generated part, which defines DUT_CLK and its like as the names of the
// component's ports, DUT_TRACE_VCD or DUT_TRACE_SAIF in traced builds, and widths in bits.

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

constexpr uint64_t HALF_CYCLE = 500;  // Time units of a trace.

constexpr size_t words(size_t nbits) { return (nbits + 31) / 32; }

// 32-bit words, least significant first, to and from Verilator's port types.
template <class Narrow> void put(Narrow& port, const uint32_t* from) {
    if constexpr (sizeof(Narrow) == 8) {
        port = from[0] | static_cast<QData>(from[1]) << 32;
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

class Model {
  protected:
    // A VCD starts with the reset. Registers hold zeros, or what a seed other than 0 draws.
    explicit Model(const char* trace_path, uint64_t power_up_seed)
        : trace_path{trace_path}, dut{powered_up(context, power_up_seed), "TOP"} {
        power_up::state = 0;
        dut.DUT_CLK = 0;
#ifdef DUT_TRACE_VCD
        if (trace_path) open_trace();
#endif
        dut.eval();
    }

    ~Model() { dut.final(); }

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

    // With the inputs at rest.
    void hold_reset(uint64_t cycles) {
        dut.DUT_RESET = 1;
        for (uint64_t i = 0; i < cycles; i++) {
            settle();
            edge();
        }
        dut.DUT_RESET = 0;
    }

    // A SAIF is a window that starts before the first transfer and ends after the last one, both
    // times with the inputs at rest: with no cycle in between, nothing but these two remains.
    void open_window() {
#ifdef DUT_TRACE_SAIF
        if (!trace_path) return;
        open_trace();
        dump();
        time += HALF_CYCLE;
#endif
    }

    void close_trace() {
#ifdef DUT_TRACED
        if (!trace) return;
        dump();
        trace->close();
#endif
    }

  private:
    static VerilatedContext* powered_up(VerilatedContext& context, uint64_t seed) {
        power_up::state = seed * UINT64_C(0x9E3779B97F4A7C15);
        return &context;
    }

#ifdef DUT_TRACED
    void open_trace() {
        context.traceEverOn(true);
        trace = std::make_unique<Trace>();
        dut.trace(trace.get(), 99);
        trace->open(trace_path);
        if (!trace->isOpen()) throw std::runtime_error("cannot write the trace");
    }

    // Called with the clock high and the inputs of the new cycle driven, then with the clock low.
    void dump() {
        if (!trace) return;
        dut.eval();
        trace->dump(time);
        time += HALF_CYCLE;
    }
#else
    void dump() {}
#endif

    const char* trace_path;
    VerilatedContext context;

  protected:
    Dut dut;

#ifdef DUT_TRACED
  private:
    std::unique_ptr<Trace> trace;
    uint64_t time = 0;
#endif
};

// Calls a function; its exception becomes a text and an outcome.
template <class Function>
int32_t guarded(char (&error)[256], int32_t failed, Function run) {
    try {
        return run();
    } catch (const std::exception& caught) {
        std::snprintf(error, sizeof error, "%s", caught.what());
        return failed;
    }
}

}  // namespace
