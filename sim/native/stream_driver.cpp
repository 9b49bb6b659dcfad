// Runs a batch of requests through one component with a request and a response stream.
//
// Included after model.h. The semantics are those of sim.engine.run; the pymtl engine has them too,
// cycle by cycle.

namespace {

enum Outcome : int32_t { DONE, TIMEOUT, UNEXPECTED, STOPPED, FAILED };

constexpr size_t REQUEST_WORDS = words(DUT_REQUEST_NBITS);
constexpr size_t RESPONSE_WORDS = words(DUT_RESPONSE_NBITS);

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
    uint64_t power_up_seed;
    uint64_t power_up_cycles;
    int64_t reset_at;
    uint64_t reset_cycles;
    const char* trace_path;
    uint64_t cycles;
    uint64_t accepted;
    uint64_t answered;
    char error[256];
};

struct StreamBatches {
    StreamBatch* batches;
    uint64_t count;
    volatile uint64_t stop;  // Set by another thread to end the runs.
    uint64_t done;  // Batches that ran to the end.
};

namespace {

class Bench : Model {
  public:
    Bench(StreamBatch& batch, const volatile uint64_t& stop)
        : Model{batch.trace_path, batch.power_up_seed}, b{batch}, stop{stop} {}

    Outcome run();

  private:
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

    void drive_rest(uint64_t next) {
        drive_idle(next);
        dut.DUT_SEND_RDY = 0;
    }

    StreamBatch& b;
    const volatile uint64_t& stop;
};

Outcome Bench::run() {
    const uint64_t count = b.count;
    uint64_t cycle = 0, accepted = 0, answered = 0, idle_since = 0;
    uint64_t source_at = count ? b.source_delay[0] : 0;
    uint64_t sink_at = count ? b.sink_delay[0] : 0;
    bool seen = false, offered = false;
    Outcome outcome = DONE;

    drive_rest(0);
    hold_reset(b.power_up_cycles);
    open_window();
    while (answered < count) {
        if (static_cast<int64_t>(cycle) == b.reset_at) {
            drive_rest(accepted);
            hold_reset(b.reset_cycles);
            cycle += b.reset_cycles;
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
        if (stop) {
            outcome = STOPPED;
            break;
        }
    }
    drive_rest(count);
    close_trace();
    b.cycles = cycle;
    b.accepted = accepted;
    b.answered = answered;
    return outcome;
}

}  // namespace

// Each batch starts from a new model; the first that fails is the last one.
extern "C" __attribute__((visibility("default"))) int32_t run_stream_batches(StreamBatches* all) {
    int32_t outcome = DONE;
    for (all->done = 0; all->done < all->count; all->done++) {
        StreamBatch& batch = all->batches[all->done];
        outcome = guarded(batch.error, FAILED, [&] { return Bench{batch, all->stop}.run(); });
        if (outcome != DONE) break;
    }
    return outcome;
}
