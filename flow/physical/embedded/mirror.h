// Mirrors cells about their vertical axis where that makes wires shorter; places stay as they are.

#pragma once

#include "netlist.h"

namespace physical {

class Mirror {
  public:
    explicit Mirror(Netlist& netlist) : netlist_(netlist) {}

    // Return the number of cells that were mirrored.
    int run() {
        int mirrored = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            int changed = 0;
            for (int i = 0; i < netlist_.count(); i++) {
                if (netlist_.kind[i] < 0 || netlist_.cell(i).width == 0) continue;
                int64_t before = length(i);
                uint8_t kept = netlist_.orient[i];
                netlist_.orient[i] = MIRRORED[kept];
                if (length(i) < before) {
                    changed++;
                    netlist_.moved(i);
                } else {
                    netlist_.orient[i] = kept;
                }
            }
            mirrored += changed;
            if (!changed) break;
        }
        return mirrored;
    }

  private:
    static constexpr int PASSES = 3;
    static constexpr size_t MOST_PINS = 64;  // of a net that counts: one cell does not change others
    static constexpr uint8_t MIRRORED[] = {3, 2, 1, 0};  // N and FN, FS and S

    Netlist& netlist_;

    // Sum of the widths of the nets at a cell.
    int64_t length(int instance) const {
        int64_t sum = 0;
        for (size_t p = 0; p < netlist_.cell(instance).pins.size(); p++) {
            int net = netlist_.pin_net[netlist_.pin0[instance] + p];
            if (net < 0 || netlist_.nets[net].pins.size() > MOST_PINS) continue;
            int left = 1 << 30, right = -left;
            for (int pin : netlist_.nets[net].pins) {
                int x = netlist_.place(pin).first;
                left = std::min(left, x), right = std::max(right, x);
            }
            sum += right - left;
        }
        return sum;
    }
};

}  // namespace physical
