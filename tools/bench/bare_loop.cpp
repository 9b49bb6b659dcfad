// A minimal hand-written loop for mont_r2l at 32 bits: one request in flight, without stalls,
// time-out and records of handshakes. The speed of the native engine's driver is compared with it.

#include "Dut.h"
#include "verilated.h"

#include <cstdint>

// The build makes Verilator call these functions, so that errors do not end the process.
void vl_fatal(const char*, int, const char*, const char*) { throw 1; }
void vl_stop(const char*, int, const char*) { throw 1; }
void vl_finish(const char*, int, const char*) { throw 1; }

// Runs `count` requests. Operands are base, exponent, modulus, wide (1 if an operand has more than
// 32 bits); answers are result, status. Returns the cycles.
extern "C" __attribute__((visibility("default"))) uint64_t run_bare_loop(
    const uint32_t* operands, uint32_t* answers, uint64_t count) {
    VerilatedContext context;
    Dut dut{&context, "TOP"};
    uint64_t cycles = 0;

    dut.reset = 1;
    for (int i = 0; i < 3; i++) {
        dut.clk = 0;
        dut.eval();
        dut.clk = 1;
        dut.eval();
    }
    dut.reset = 0;
    dut.send___05Frdy = 1;
    for (uint64_t i = 0; i < count; i++) {
        // The message is {base, exponent, modulus, wide}; wide is bit 0.
        const uint64_t b = operands[4 * i], e = operands[4 * i + 1], m = operands[4 * i + 2];
        dut.recv___05Fmsg[0] = static_cast<uint32_t>(m << 1 | operands[4 * i + 3]);
        dut.recv___05Fmsg[1] = static_cast<uint32_t>(e << 1 | m >> 31);
        dut.recv___05Fmsg[2] = static_cast<uint32_t>(b << 1 | e >> 31);
        dut.recv___05Fmsg[3] = static_cast<uint32_t>(b >> 31);
        dut.recv___05Fval = 1;
        bool accepted = false;
        while (!accepted) {
            dut.clk = 0;
            dut.eval();
            accepted = dut.recv___05Frdy;
            dut.clk = 1;
            dut.eval();
            cycles++;
        }
        dut.recv___05Fval = 0;
        bool answered = false;
        while (!answered) {
            dut.clk = 0;
            dut.eval();
            answered = dut.send___05Fval;
            if (answered) {
                answers[2 * i] = static_cast<uint32_t>(dut.send___05Fmsg >> 8);
                answers[2 * i + 1] = dut.send___05Fmsg & 0xFF;
            }
            dut.clk = 1;
            dut.eval();
            cycles++;
        }
    }
    dut.final();
    return cycles;
}
