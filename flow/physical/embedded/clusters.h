// Groups of sinks that lie near each other, each few and light enough for one driver.

#pragma once

#include <tuple>

#include "netlist.h"

namespace physical {

constexpr double NO_LIMIT = 1e12;  // of a load, fF

class Clusters {
  public:
    Clusters(const Netlist& netlist, int most_pins, double most_ff, double ff_per_um)
        : netlist_(netlist), most_pins_(most_pins), most_ff_(most_ff),
          ff_per_dbu_(ff_per_um / netlist.wiring.dbu_per_um) {}

    // Divide pins into groups: halves by place, along the longer side, as long as one is too large.
    std::vector<std::vector<int>> of(std::vector<int> pins) const {
        std::vector<std::vector<int>> found;
        if (!pins.empty()) divide(pins, found);
        return found;
    }

    std::pair<int, int> middle(const std::vector<int>& pins) const {
        int64_t x = 0, y = 0;
        for (int pin : pins) {
            auto [px, py] = netlist_.place(pin);
            x += px, y += py;
        }
        return {int(x / int64_t(pins.size())), int(y / int64_t(pins.size()))};
    }

    // Whether pins lie farther apart across than up.
    bool wide(const std::vector<int>& pins) const {
        int x0 = 1 << 30, x1 = -x0, y0 = 1 << 30, y1 = -y0;
        for (int pin : pins) {
            auto [x, y] = netlist_.place(pin);
            x0 = std::min(x0, x), x1 = std::max(x1, x);
            y0 = std::min(y0, y), y1 = std::max(y1, y);
        }
        return x1 - x0 >= y1 - y0;
    }

    // Order pins from left to right, or upwards.
    void arrange(std::vector<int>& pins, bool across) const {
        auto key = [&](int pin) {
            auto [x, y] = netlist_.place(pin);
            return across ? std::make_tuple(x, y, pin) : std::make_tuple(y, x, pin);
        };
        // Not nth_element, whose order differs between C++ libraries.
        std::sort(pins.begin(), pins.end(), [&](int a, int b) { return key(a) < key(b); });
    }

  private:
    static constexpr size_t MEASURED = 256;  // most pins of a group whose tree is built

    const Netlist& netlist_;
    int most_pins_;
    double most_ff_, ff_per_dbu_;

    void divide(std::vector<int>& pins, std::vector<std::vector<int>>& found) const {
        int parts = parts_of(pins);
        if (parts <= 1) {
            found.push_back(pins);
            return;
        }
        size_t at = pins.size() * (parts / 2) / parts;
        at = std::min(std::max<size_t>(at, 1), pins.size() - 1);
        arrange(pins, wide(pins));
        std::vector<int> low(pins.begin(), pins.begin() + at), high(pins.begin() + at, pins.end());
        divide(low, found);
        divide(high, found);
    }

    // Number of groups that pins need; 2 also stands for more, if it is their load that is too high.
    int parts_of(const std::vector<int>& pins) const {
        if (pins.size() < 2) return 1;
        int by_count = int((pins.size() + most_pins_ - 1) / most_pins_);
        if (most_ff_ == NO_LIMIT) return by_count;
        return std::max(by_count, load(pins) > most_ff_ ? 2 : 1);
    }

    double load(const std::vector<int>& pins) const {
        if (pins.size() > MEASURED) return NEVER_FITS;
        std::vector<int32_t> px(pins.size()), py(pins.size());
        double sum = 0;
        for (size_t i = 0; i < pins.size(); i++) {
            std::tie(px[i], py[i]) = netlist_.place(pins[i]);
            sum += netlist_.capacitance(pins[i], RISE);
        }
        Tree tree;
        SteinerBuilder(0.0).build(int(pins.size()), px.data(), py.data(), tree);
        return sum + double(tree.length()) * ff_per_dbu_;
    }

    static constexpr double NEVER_FITS = 1e9;
};

}  // namespace physical
