// Zero-delay simulation of a netlist with faults: flip-flops and gates take wrong values in given
// cycles and lanes. Cycles are numbered from 0 at the end of the reset before a batch, as the bench
// numbers them. See FaultKind in faults.py for the kinds.

#include "gates.h"

namespace {

class FaultyGates : public Gates {
  public:
    explicit FaultyGates(FaultArrays& faults) : Gates{*faults.netlist}, f{faults} {}

    void open_window() { cycle = 0; }

    // Evaluates the gates up to each faulty gate, inverts its output, and goes on behind it.
    void settle(Word counted) {
        begin(counted);
        int64_t run = 0;
        for (; due(TRANSIENT); next++) {
            const int64_t end = f.faults[next].run + 1;
            evaluate(counted, run, end);
            n.values[f.faults[next].position] ^= f.faults[next].lanes;
            run = end;
        }
        evaluate(counted, run, n.run_count);
    }

    void edge() {
        cycle++;
        const uint64_t first = next;
        held.clear();
        for (; due(SKIP); next++) held.push_back(n.values[f.faults[next].position]);
        Gates::edge();
        for (uint64_t at = first; at < next; at++) merge(f.faults[at], held[at - first]);
        for (; due(FLIP); next++) n.values[f.faults[next].position] ^= f.faults[next].lanes;
        for (; due(STUCK_AT_0) || due(STUCK_AT_1); next++) stuck.push_back(next);
        for (const uint64_t at : stuck) {
            merge(f.faults[at], f.faults[at].kind == STUCK_AT_1 ? ONES : ZEROS);
        }
    }

  private:
    bool due(FaultKind kind) const {
        return next < f.count && f.faults[next].cycle == cycle && f.faults[next].kind == kind;
    }

    // Gives the flip-flop of a fault a value, in the lanes of the fault.
    void merge(const LaneFault& fault, Word value) {
        Word& state = n.values[fault.position];
        state = (state & ~fault.lanes) | (value & fault.lanes);
    }

    FaultArrays& f;
    uint64_t cycle = 0, next = 0;  // next: first fault that is not applied yet
    std::vector<Word> held;
    std::vector<uint64_t> stuck;
};

}  // namespace
