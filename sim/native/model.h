// Verilator's model as a circuit for the benches (bench.h): one lane.
//
// Builds with traces define DUT_TRACE_VCD or DUT_TRACE_SAIF; ports.h has the component's ports.

#include "Dut.h"
#include "verilated.h"

#include <memory>
#include <stdexcept>
#include <type_traits>

#include "bench.h"

#if defined(DUT_TRACE_VCD)
#include "verilated_vcd_c.h"
using Trace = VerilatedVcdC;
#define DUT_TRACED
#elif defined(DUT_TRACE_SAIF)
#include "verilated_saif_c.h"
using Trace = VerilatedSaifC;
#define DUT_TRACED
#endif

// Dut::eval() calls this function after bookkeeping that is not needed here; a small design runs
// four times as fast without the bookkeeping. The name is internal to Verilator, whose version is
// in the library's key.
void Dut___024root___eval(Dut___024root*);

// Replace Verilator's functions, which would end the Python process.
void vl_fatal(const char*, int, const char*, const char* message) {
    throw std::runtime_error(message);
}
void vl_stop(const char*, int, const char*) { throw std::runtime_error("$stop"); }
void vl_finish(const char*, int, const char*) { throw std::runtime_error("$finish"); }

namespace {

constexpr uint64_t HALF_CYCLE = 500;  // In time units of the trace.

// `store` writes 32-bit words, least significant first, to a port of any of Verilator's types;
// `load` reads them from a port.
template <class Narrow> void store(Narrow& port, const uint32_t* from) {
    if constexpr (sizeof(Narrow) == 8) {
        port = from[0] | static_cast<QData>(from[1]) << 32;
    } else {
        port = static_cast<Narrow>(from[0]);
    }
}
template <std::size_t N> void store(VlWide<N>& port, const uint32_t* from) {
    std::memcpy(port.data(), from, N * sizeof *from);
}
template <class Narrow> void load(uint32_t* to, const Narrow& port) {
    to[0] = static_cast<uint32_t>(port);
    if constexpr (sizeof(Narrow) == 8) to[1] = static_cast<uint32_t>(port >> 32);
}
template <std::size_t N> void load(uint32_t* to, const VlWide<N>& port) {
    std::memcpy(to, port.data(), N * sizeof *to);
}

// A port: `Net` is a reference to Verilator's variable.
template <class Net, size_t NBITS = 8 * sizeof(Net)> struct Port {
    Net net;

    Lanes get() const { return net; }
    void set(Lanes lanes) const { net = static_cast<std::remove_reference_t<Net>>(lanes); }
    uint32_t number(int) const { return static_cast<uint32_t>(net); }
    void read(int, uint32_t* to) const { load(to, net); }
    void write(int, const uint32_t* from) const { store(net, from); }

    void write_inverse(int, const uint32_t* from) const {
        uint32_t inverted[words(NBITS)];
        for (size_t w = 0; w < words(NBITS); w++) inverted[w] = ~from[w];
        if constexpr (NBITS % 32) inverted[words(NBITS) - 1] &= (UINT32_C(1) << NBITS % 32) - 1;
        store(net, inverted);
    }
    void write_ones(int lane) const {
        const uint32_t zeros[words(NBITS)] = {};
        write_inverse(lane, zeros);
    }
};

#include "ports.h"

class Model {
  public:
    static constexpr int LANES = 1;
#ifdef DUT_TRACE_SAIF
    static constexpr bool QUIET = true;
#else
    static constexpr bool QUIET = false;
#endif
    static constexpr bool EDGE_SHOWS_REGISTERS = true;
    using Ports = DutPorts;

    // Makes a new model. Its registers are zero, or random if the seed is not 0. A VCD trace starts
    // with the reset.
    explicit Model(const ModelSetup& setup)
        : trace_path{setup.trace_path},
          dut{powered_up(context, setup.power_up_seed), "TOP"},
          ports{dut} {
        power_up::state = 0;
        dut.clk = 0;
#ifdef DUT_TRACE_VCD
        if (trace_path) open_trace();
#endif
        dut.eval();
    }

    ~Model() { dut.final(); }

    // A cycle takes only two evaluations: that in `settle` settles the combinational paths from the
    // inputs (and shows Verilator the low clock), that in `edge` is the rising edge.
    void settle(Lanes) {
        dump();
        dut.clk = 0;
        Dut___024root___eval(dut.rootp);
        dump();
    }

    void edge() {
        dut.clk = 1;
        Dut___024root___eval(dut.rootp);
    }

    void hold_reset(uint64_t cycles) {
        dut.reset = 1;
        for (uint64_t i = 0; i < cycles; i++) {
            settle(0);
            edge();
        }
        dut.reset = 0;
    }

    // The window in which a SAIF trace counts toggles starts before the first transfer and ends
    // after the last one, both times with the inputs at rest.
    void open_window() {
#ifdef DUT_TRACE_SAIF
        if (!trace_path) return;
        open_trace();
        dump();
        time += HALF_CYCLE;
#endif
    }

    void close(Lanes) {
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

    // Called twice per cycle with the new inputs: with the clock high, then with the clock low.
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
    Dut dut;

#ifdef DUT_TRACED
    std::unique_ptr<Trace> trace;
    uint64_t time = 0;
#endif

  public:
    DutPorts ports;
};

}  // namespace
