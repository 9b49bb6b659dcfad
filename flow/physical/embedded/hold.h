// Repairs hold: delays the data of registers that take it too early, by buffers before them.

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
            for (auto [slack, pin] : found) by_net[netlist_.pin_net[pin]].push_back(pin);
            for (size_t net = 0; net < by_net.size(); net++) {
                if (by_net[net].empty()) continue;
                auto [x, y] = netlist_.place(by_net[net][0]);
                int kind = netlist_.library.buffers[0];
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
};

}  // namespace physical
