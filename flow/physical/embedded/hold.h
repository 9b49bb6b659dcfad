// Repairs hold: delays the data of registers that take it too early, by buffers before them, or by
// cells for delays where the library has any.

#pragma once

#include "timer.h"

namespace physical {

class Hold {
  public:
    int inserted = 0;

    Hold(Timer& timer) : timer_(timer), netlist_(timer.netlist) {}

    // Insert buffers until no register takes its data too early; return the smallest hold slack.
    float repair(float period, float margin, float derate, int most_passes) {
        float least = 0;
        for (int pass = 0; pass < most_passes; pass++) {
            timer_.run(period);
            std::vector<std::pair<float, int>> found;
            least = timer_.hold(derate, &found, margin);
            if (found.empty()) break;
            // One buffer before all sinks of a net that need it, whether or not setup has the time.
            std::vector<std::vector<int>> by_net(netlist_.nets.size());
            std::vector<float> lacking(netlist_.nets.size(), 0);
            for (auto [slack, pin] : found) {
                int net = netlist_.pin_net[pin];
                by_net[net].push_back(pin);
                lacking[net] = std::max(lacking[net], margin - slack);
            }
            for (size_t net = 0; net < by_net.size(); net++) {
                if (by_net[net].empty()) continue;
                auto [x, y] = netlist_.place(by_net[net][0]);
                int kind = choose(lacking[net], by_net[net][0]);
                netlist_.insert_buffer(int(net), kind, x - netlist_.library.kinds[kind].width, y,
                                       by_net[net]);
                inserted++;
            }
            timer_.reorder = true;
        }
        return least;
    }

  private:
    Timer& timer_;
    Netlist& netlist_;

    // The smallest buffer, or the smallest cell for delays that delays a pin by what is lacking.
    int choose(float lacking, int pin) const {
        int best = netlist_.library.buffers[0];
        float longest = delay(best, pin);
        for (int kind : netlist_.library.delays) {
            if (longest >= lacking) break;
            if (float own = delay(kind, pin); own > longest) best = kind, longest = own;
        }
        return best;
    }

    // Least delay of a buffer before a pin.
    float delay(int kind, int pin) const {
        float least = NEVER;
        for (const Arc& arc : netlist_.library.kinds[kind].arcs)
            for (int e : {RISE, FALL})
                if (arc.early[e] >= 0)
                    least = std::min(least, timer_.look(arc.early[e], timer_.slew[2 * pin + e],
                                                        netlist_.early_capacitance(pin, e)));
        return least;
    }
};

}  // namespace physical
