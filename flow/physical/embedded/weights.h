// Weights of nets by slack, for placement: more for nets on slow paths.

#pragma once

#include "timer.h"

namespace physical {

constexpr double MOST_WEIGHT = 4;
constexpr double TIE_WEIGHT = 0.1;  // a tie cell goes where its flip-flops are, not they to it

// 1 + (MOST_WEIGHT - 1) c^16 for each net, where c falls from 1 at the least slack to 0 at the median:
// with c^8, wires are up to 1.5 % longer, and the slowest path is not faster. The timer must have run.
inline std::vector<double> net_weights(const Timer& timer) {
    const auto& nets = timer.netlist.nets;
    std::vector<float> slack, known;
    for (const Net& net : nets) {
        slack.push_back(net.used() ? timer.slack(net.pins[0]) : NEVER);
        if (std::isfinite(slack.back())) known.push_back(slack.back());
    }
    std::vector<double> weights(nets.size(), 1.0);
    for (size_t n = 0; n < nets.size(); n++)
        if (timer.netlist.is_tie(int(n))) weights[n] = TIE_WEIGHT;
    if (known.empty()) return weights;
    std::nth_element(known.begin(), known.begin() + long(known.size() / 2), known.end());
    double middle = known[known.size() / 2], least = *std::min_element(known.begin(), known.end());
    if (middle - least < 1e-6) return weights;
    for (size_t n = 0; n < nets.size(); n++) {
        if (!std::isfinite(slack[n])) continue;
        double critical = std::clamp((middle - slack[n]) / (middle - least), 0.0, 1.0);
        for (int i = 0; i < 4; i++) critical *= critical;
        weights[n] += (MOST_WEIGHT - 1) * critical;
    }
    return weights;
}

}  // namespace physical
