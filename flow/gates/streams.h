// Operations on a circuit with two streams. Every lane works through operations of its own, one
// after the other, and goes its own way in the handshakes.

#pragma once

#include "gates.h"

// Mirrored field by field in streams.py.
struct StreamSimulation {
    Netlist netlist;
    const int32_t* request_nets;   // bit 0 first
    const int32_t* response_nets;
    const uint8_t* requests;       // lane, operation, bit
    uint8_t* responses;            // lane, operation, bit
    int64_t* accepted_at;          // lane, operation
    int64_t* valid_at;
    int64_t* taken_at;
    int64_t request_bits, response_bits;
    int64_t valid_in_net, ready_out_net, valid_out_net, ready_in_net;
    int64_t lanes, operations, uncounted;
    int64_t count_tail;       // count the cycle after a lane's last operation too
    int64_t max_idle;
    int64_t cycles;           // result: simulated
    volatile int64_t stop;    // set by another thread to end the run
};

class StreamBench {
  public:
    enum Outcome : int32_t { DONE, TIMEOUT, UNEXPECTED, STOPPED };

    explicit StreamBench(StreamSimulation& simulation) : s{simulation}, gates{s.netlist} {
        for (int64_t net : {s.valid_in_net, s.ready_in_net}) gates.add_input(net);
        for (int64_t i = 0; i < s.request_bits; i++) gates.add_input(s.request_nets[i]);
    }

    Outcome run() {
        gates.reset();
        int64_t idle = 0;
        while (true) {
            gates.settle(drive());
            if (finished()) return DONE;
            bool handshake = false;
            if (!respond(handshake)) return UNEXPECTED;
            gates.clock();
            s.cycles++;
            idle = handshake ? 0 : idle + 1;
            if (idle > s.max_idle) return TIMEOUT;
            if (s.stop) return STOPPED;
        }
    }

  private:
    struct Lane {
        int64_t accepted = 0;
        int64_t answered = 0;
        bool offered = false;
        bool tail_counted = false;
    };

    // Drives the inputs of the cycle; returns the lanes whose toggles count.
    Word drive() {
        Word offered = 0, ready = 0, counted = 0;
        for (int64_t l = 0; l < s.lanes; l++) {
            Lane& lane = lane_of[l];
            const Word bit = Word{1} << l;
            const bool busy = lane.answered < s.operations;
            if (busy && !lane.offered && lane.accepted == lane.answered) {
                lane.offered = true;
                drive_message(l);
            }
            if (lane.offered) offered |= bit;
            if (busy) ready |= bit;
            const bool tail = !busy && s.count_tail && !lane.tail_counted;
            if (tail) lane.tail_counted = true;
            if ((busy && lane.answered >= s.uncounted) || tail) counted |= bit;
        }
        gates.set(s.valid_in_net, offered);
        gates.set(s.ready_in_net, ready);
        return counted;
    }

    // The message stays between requests, so that an idle bus costs no energy.
    void drive_message(int64_t l) {
        const int64_t at = l * s.operations + lane_of[l].accepted;
        for (int64_t i = 0; i < s.request_bits; i++)
            gates.set_bit(s.request_nets[i], l, s.requests[at * s.request_bits + i]);
    }

    bool finished() const {
        for (int64_t l = 0; l < s.lanes; l++) {
            if (lane_of[l].answered < s.operations) return false;
            if (s.count_tail && !lane_of[l].tail_counted) return false;
        }
        return true;
    }

    // Handshakes of the cycle; false if a lane answers what was not asked.
    bool respond(bool& handshake) {
        const Word can_accept = gates.get(s.ready_out_net);
        const Word valid = gates.get(s.valid_out_net);
        for (int64_t l = 0; l < s.lanes; l++) {
            Lane& lane = lane_of[l];
            if (lane.answered == s.operations) continue;
            const bool accept = lane.offered && (can_accept >> l & 1);
            if (valid >> l & 1) {
                if (lane.answered == lane.accepted && !accept) return false;
                const int64_t at = l * s.operations + lane.answered;
                s.valid_at[at] = s.taken_at[at] = s.cycles;
                for (int64_t i = 0; i < s.response_bits; i++)
                    s.responses[at * s.response_bits + i] = gates.bit(s.response_nets[i], l);
                handshake = true;
            }
            if (accept) {
                s.accepted_at[l * s.operations + lane.accepted] = s.cycles;
                lane.accepted++;
                lane.offered = false;
                handshake = true;
            }
            if (valid >> l & 1) lane.answered++;
        }
        return true;
    }

    StreamSimulation& s;
    Gates gates;
    Lane lane_of[LANES];
};
