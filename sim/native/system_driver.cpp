// Runs programs on Verilator's model of a system.

#include "model.h"
#include "systems.h"

namespace {

// After the last cycle, reads the trap ports of a program that has not ended: they may show its end
// in the next cycle, and show the address that it has reached.
class ProgramBench : public SystemBench<Model> {
  public:
    ProgramBench(Model& circuit, SystemBatch& batch, CallControl& control)
        : SystemBench<Model>{circuit, batch, control}, ports{circuit.ports}, b{batch} {}

    RunOutcome run() {
        const RunOutcome outcome = SystemBench<Model>::run();
        for_each_lane<Model>(first_lanes(b.lanes), [this](int l) {
            ProgramResult& program = b.programs[l];
            if (program.ended) return;
            program.ended = ports.trap_val.number(l);
            program.cause = ports.trap_cause.number(l);
            program.pc = ports.trap_pc.number(l);
            program.inst = ports.trap_inst.number(l);
            program.value = ports.trap_value.number(l);
        });
        return outcome;
    }

  private:
    const Model::Ports& ports;
    SystemBatch& b;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) int32_t run_systems(
    ModelSetup* const* setups, SystemBatch* const* batches, uint64_t count, CallControl* control) {
    return run_batches<ProgramBench, Model>(setups, batches, count, *control);
}
