#include "Dut.h"
#include "verilated_saif_c.h"

// The build leaves these to the driver, and hides what is not exported.
void vl_fatal(const char*, int, const char*, const char*) { std::abort(); }
void vl_stop(const char*, int, const char*) { std::abort(); }
void vl_finish(const char*, int, const char*) { std::abort(); }

extern "C" __attribute__((visibility("default"))) void run(const char* path, int cycles) {
    VerilatedContext context;
    context.traceEverOn(true);
    Dut dut{&context, "TOP"};
    VerilatedSaifC saif;
    uint64_t time = 0;
    dut.trace(&saif, 99);
    auto cycle = [&](bool reset, bool traced) {
        dut.reset = reset;
        dut.clk = 0;
        dut.eval();
        if (traced) saif.dump(time++);
        dut.clk = 1;
        dut.eval();
        if (traced) saif.dump(time++);
    };
    cycle(true, false);
    for (int i = 0; i < 5; i++) cycle(false, false);
    saif.open(path);
    saif.dump(time++);
    for (int i = 0; i < cycles; i++) cycle(false, true);
    saif.close();
    dut.final();
}
