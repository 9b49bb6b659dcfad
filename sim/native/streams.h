// Runs a batch of requests through a circuit with a request and a response stream.
//
// sim.engine.run defines each cycle; the pymtl engine behaves the same. Every lane has its own
// requests and its own handshakes. A message may be sent in several digits.

#include "bench.h"

namespace {

template <class Circuit> class StreamBench {
  public:
    StreamBench(Circuit& circuit, StreamBatch& batch, CallControl& control)
        : circuit{circuit}, ports{circuit.ports}, b{batch}, stop{control.stop} {}

    RunOutcome run();

  private:
    struct Lane {
        // digits_in, digits_out: digits of the current request and response that have passed
        uint64_t accepted, answered, source_at, sink_at, digits_in, digits_out;
    };

    template <class Function> INLINED static void each(Lanes lanes, Function function) {
        for_each_lane<Circuit>(lanes, function);
    }

    const uint32_t* request(int lane, uint64_t index, uint64_t digit) const {
        const uint64_t at = (lane * b.count + index) * b.request_digits + digit;
        return b.requests + at * b.request_words;
    }

    // Between requests, the message is the bitwise inverse of the next request.
    INLINED void drive_idle([[maybe_unused]] int lane, [[maybe_unused]] const Lane& state) {
        if constexpr (!Circuit::QUIET) {
            if (b.count == 0) return;
            const uint64_t next = state.accepted < b.count ? state.accepted : b.count - 1;
            ports.recv_msg.write_inverse(lane, request(lane, next, state.digits_in));
        }
    }

    INLINED void drive_rest(const Lane* lanes) {
        ports.recv_val.set(0);
        ports.send_rdy.set(0);
        each(first_lanes(b.lanes), [&](int l) INLINED { drive_idle(l, lanes[l]); });
    }

    Circuit& circuit;
    typename Circuit::Ports& ports;
    StreamBatch& b;
    const volatile uint64_t& stop;
};

template <class Circuit> RunOutcome StreamBench<Circuit>::run() {
    const uint64_t count = b.count;
    const uint64_t reset_at = static_cast<uint64_t>(b.reset_at);
    const Lanes all = first_lanes(b.lanes), tails = b.count_tail ? all : 0;
    Lane lanes[Circuit::LANES] = {};
    // Sets of lanes. busy: responses are still to come; offered: the bench offers a request; seen:
    // the circuit offers a response; tail: the last response was taken in the previous cycle, and
    // toggles still count.
    Lanes busy = count ? all : 0, offered = 0, seen = 0, tail = ~busy & tails;
    uint64_t cycle = 0, idle_since = 0;
    RunOutcome outcome = DONE;

    const auto source_next = [&](int l) INLINED {
        const uint64_t next = lanes[l].accepted;
        if (next < count) lanes[l].source_at = cycle + b.source_delay[l * count + next];
    };
    const auto sink_next = [&](int l) INLINED {
        const uint64_t next = lanes[l].answered;
        if (next < count) {
            lanes[l].sink_at = cycle + b.sink_delay[l * count + next];
        } else {
            busy &= ~(Lanes{1} << l);
            tail |= Lanes{1} << l & tails;
        }
    };

    each(busy, source_next);
    each(busy, sink_next);
    drive_rest(lanes);
    circuit.hold_reset(b.power_up_cycles);
    circuit.open_window();
    while (busy) {
        if (cycle == reset_at) {
            drive_rest(lanes);
            circuit.hold_reset(b.reset_cycles);
            idle_since = cycle += b.reset_cycles;
            offered = seen = 0;
            each(busy, [&](int l) INLINED {
                lanes[l].answered = lanes[l].accepted;
                lanes[l].digits_in = lanes[l].digits_out = 0;
                source_next(l);
                sink_next(l);
            });
            continue;
        }
        Lanes ready = 0, counted = tail;
        each(busy, [&](int l) INLINED {
            const Lane& lane = lanes[l];
            const Lanes bit = Lanes{1} << l;
            if (!(offered & bit) && lane.accepted < count && cycle >= lane.source_at &&
                lane.accepted - lane.answered < b.in_flight) {
                offered |= bit;
                ports.recv_msg.write(l, request(l, lane.accepted, lane.digits_in));
            }
            if (cycle >= lane.sink_at) ready |= bit;
            if (lane.answered >= b.uncounted) counted |= bit;
        });
        ports.recv_val.set(offered);
        ports.send_rdy.set(ready);
        circuit.settle(counted);
        tail = 0;
        const Lanes accept = offered & ports.recv_rdy.get();
        const Lanes valid = busy & ports.send_val.get();
        const Lanes taken = valid & ready;
        each(valid, [&](int l) INLINED {
            const Lane& lane = lanes[l];
            const Lanes bit = Lanes{1} << l;
            const bool last_in = lane.digits_in + 1 == b.request_digits;
            if (lane.answered == lane.accepted &&
                (!((offered & bit) && last_in) || ((ready & bit) && !(accept & bit)))) {
                outcome = UNEXPECTED;
                return;
            }
            const uint64_t at = l * count + lane.answered;
            if (lane.digits_out + 1 == b.response_digits) {
                if (!(seen & bit)) b.valid_at[at] = cycle;
                seen |= bit;
                if (ready & bit) b.taken_at[at] = cycle;
            }
            if (ready & bit) {
                const uint64_t digit = at * b.response_digits + lane.digits_out;
                ports.send_msg.read(l, b.responses + digit * b.response_words);
            }
        });
        if (outcome != DONE) break;
        circuit.edge();
        cycle++;
        each(accept, [&](int l) INLINED {
            if (++lanes[l].digits_in == b.request_digits) {
                b.accepted_at[l * count + lanes[l].accepted] = cycle - 1;
                lanes[l].accepted++;
                lanes[l].digits_in = 0;
            }
            offered &= ~(Lanes{1} << l);
            drive_idle(l, lanes[l]);
            source_next(l);
        });
        each(taken, [&](int l) INLINED {
            if (++lanes[l].digits_out == b.response_digits) {
                lanes[l].answered++;
                lanes[l].digits_out = 0;
                seen &= ~(Lanes{1} << l);
            }
            sink_next(l);
        });
        if (accept | taken) idle_since = cycle;
        if (busy && (cycle - idle_since >= b.max_idle || cycle >= b.max_cycles)) {
            outcome = TIMEOUT;
            break;
        }
        if (stop) {
            outcome = STOPPED;
            break;
        }
    }
    drive_rest(lanes);
    circuit.close(tail);
    b.cycles = cycle;
    for (uint64_t l = 0; l < b.lanes; l++) {
        b.accepted += lanes[l].accepted;
        b.answered += lanes[l].answered;
    }
    return outcome;
}

}  // namespace
