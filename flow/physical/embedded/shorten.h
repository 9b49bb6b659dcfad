// Makes wires shorter on legal places: cells move, change places, and change their order.
//
// A cell is wanted in the rectangle of the medians of its nets' sides; there, places between two
// cells, which give way, and exchanges with cells that fit into the cell's own place are tried (Pan,
// Viswanathan and Chu, "An efficient and effective detailed placement algorithm", ICCAD 2005). Then
// each three neighbours in a row are tried in all orders, and the cells of each row move without a
// change of their order. What counts is the sum of half the perimeters of the nets' boxes, by the
// nets' weights.

#pragma once

#include "netlist.h"

namespace physical {

class Shorten {
  public:
    // keeps_clock: cells at the clock's nets stay where they are.
    Shorten(Netlist& netlist, const RowArrays& rows, const double* weights, bool keeps_clock)
        : netlist_(netlist), height_(int(rows.row_height)), site_(int(rows.site_width)),
          end_(int(rows.sites) * site_), rows_(rows.rows), row_(netlist.count()),
          px_(netlist.pin_net.size()), py_(netlist.pin_net.size()) {
        for (int64_t i = 0; i < rows.fixed; i++)
            rows_[rows.fixed_y[i] / height_].push_back({rows.fixed_x[i], rows.fixed_width[i], -1});
        for (int i = 0; i < netlist_.count(); i++) {
            if (netlist_.kind[i] < 0) continue;
            place_pins(i);
            if (netlist_.cell(i).width == 0) continue;
            row_[i] = netlist_.y[i] / height_;
            bool stays = keeps_clock && is_of_clock(i);
            if (!stays) movable_.push_back(i);
            rows_[row_[i]].push_back({netlist_.x[i], width(i), stays ? -1 : i});
        }
        for (auto& row : rows_) {
            std::sort(row.begin(), row.end(), [](const Item& a, const Item& b) { return a.x < b.x; });
            row.insert(row.begin(), {0, 0, -1});
            row.push_back({end_, 0, -1});
        }
        add_nets(weights);
    }

    // Run passes until one gains little. Return the number of changes.
    int run() {
        int changes = 0;
        double length = total();
        for (int pass = 0; pass < PASSES; pass++) {
            for (int cell : movable_) changes += improve(cell);
            for (int row = 0; row < int(rows_.size()); row++) changes += reorder(row);
            for (int row = 0; row < int(rows_.size()); row++) changes += align(row);
            double now = total();
            if (now > length * (1 - LEAST_GAIN)) break;
            length = now;
        }
        for (int cell : movable_) netlist_.moved(cell);
        return changes;
    }

  private:
    static constexpr int PASSES = 12;
    static constexpr double LEAST_GAIN = 0.001;  // of the length, by a pass
    static constexpr size_t MOST_PINS = 100;     // of a net that counts
    static constexpr int NEAR_ROWS = 3;          // rows above and below the wanted one
    static constexpr int NEAR_ITEMS = 8;         // cells left and right of the wanted place
    static constexpr int GIVING_WAY = 3;         // cells left and right of a place that give way
    static constexpr double LEAST = 1e-6;        // gain of a change

    // What stands in a row; cell -1: it cannot move.
    struct Item {
        int x, width, cell;
        int end() const { return x + width; }
    };
    struct Box {
        int x0 = 1 << 30, x1 = -(1 << 30), y0 = 1 << 30, y1 = -(1 << 30);
        void add(int x, int y) {
            x0 = std::min(x0, x), x1 = std::max(x1, x);
            y0 = std::min(y0, y), y1 = std::max(y1, y);
        }
        int half() const { return x1 - x0 + y1 - y0; }
    };
    // A net of the cell that moves: the box of the other pins, and the cell's own pin.
    struct Link {
        double weight;
        Box others;
        int pin;   // the first of the cell's pins at the net; further ones count as others
        int x, y;  // of that pin, from the cell's lower left corner
    };
    // A cell of a row that gets another place in it.
    struct Shift {
        int at, cell, x;
    };
    struct Change {
        double gain = LEAST;
        int row = -1, at = -1;  // the item that is exchanged, or before which the cell goes
        int x = 0, other_x = 0;
        bool exchanges = false;
        std::vector<Shift> shifts;  // of the cells that give way
    };
    // Cells side by side; the cost changes its slope at the points, as the first cell's place.
    struct Cluster {
        int x, width;
        size_t first, count;  // its items
        double weight;        // half the sum of the points'
        std::vector<std::pair<int, double>> points;
    };

    Netlist& netlist_;
    int height_, site_, end_;
    std::vector<std::vector<Item>> rows_;
    std::vector<int> row_, movable_;
    std::vector<double> weight_;
    std::vector<int> net_start_, net_pins_;    // pins of the nets that count
    std::vector<int> cell_start_, cell_nets_;  // nets of each cell, each once
    std::vector<int> px_, py_;
    std::vector<Link> links_;
    std::vector<std::pair<double, double>> sides_;
    std::vector<int> nets_, seen_;  // nets that are compared; the comparison that saw a net last
    int comparison_ = 0;
    std::vector<Shift> shifts_;
    std::vector<Cluster> clusters_;

    int width(int cell) const { return netlist_.cell(cell).width; }

    bool is_of_clock(int cell) const {
        int first = netlist_.pin0[cell], count = int(netlist_.cell(cell).pins.size());
        return std::any_of(netlist_.pin_net.begin() + first, netlist_.pin_net.begin() + first + count,
                           [&](int net) { return net >= 0 && netlist_.nets[net].clock; });
    }

    void add_nets(const double* weights) {
        net_start_.push_back(0);
        for (size_t n = 0; n < netlist_.nets.size(); n++) {
            const auto& pins = netlist_.nets[n].pins;
            bool counts = pins.size() >= 2 && pins.size() <= MOST_PINS && weights[n] > 0;
            weight_.push_back(counts ? weights[n] : 0);
            if (counts) net_pins_.insert(net_pins_.end(), pins.begin(), pins.end());
            net_start_.push_back(int(net_pins_.size()));
        }
        seen_.assign(weight_.size(), 0);
        cell_start_.push_back(0);
        for (int i = 0; i < netlist_.count(); i++) {
            size_t pins = netlist_.kind[i] < 0 ? 0 : netlist_.cell(i).pins.size();
            comparison_++;
            for (size_t p = 0; p < pins; p++) {
                int net = netlist_.pin_net[netlist_.pin0[i] + int(p)];
                if (net < 0 || weight_[net] == 0 || seen_[net] == comparison_) continue;
                seen_[net] = comparison_;
                cell_nets_.push_back(net);
            }
            cell_start_.push_back(int(cell_nets_.size()));
        }
    }

    void place_pins(int cell) {
        int first = netlist_.pin0[cell], count = int(netlist_.cell(cell).pins.size());
        for (int pin = first; pin < first + count; pin++)
            std::tie(px_[pin], py_[pin]) = netlist_.place(pin);
    }

    void put(int cell, int row, int x) {
        netlist_.put(cell, x, row, height_);
        row_[cell] = row;
        place_pins(cell);
    }

    // Move along the row.
    void slide(int cell, int x) {
        int by = x - netlist_.x[cell], first = netlist_.pin0[cell];
        netlist_.x[cell] = x;
        for (int pin = first; pin < first + int(netlist_.cell(cell).pins.size()); pin++) px_[pin] += by;
    }

    double cost(int net) const {
        Box box;
        for (int i = net_start_[net]; i < net_start_[net + 1]; i++)
            box.add(px_[net_pins_[i]], py_[net_pins_[i]]);
        return weight_[net] * box.half();
    }

    double total() const {
        double sum = 0;
        for (size_t net = 0; net < weight_.size(); net++)
            if (weight_[net] > 0) sum += cost(int(net));
        return sum;
    }

    void begin_comparison() {
        nets_.clear();
        comparison_++;
    }

    void collect(int cell) {
        for (int i = cell_start_[cell]; i < cell_start_[cell + 1]; i++) {
            int net = cell_nets_[i];
            if (seen_[net] == comparison_) continue;
            seen_[net] = comparison_;
            nets_.push_back(net);
        }
    }

    double collected() const {
        double sum = 0;
        for (int net : nets_) sum += cost(net);
        return sum;
    }

    // Find the nets of a cell, with the boxes of their other pins.
    void link(int cell) {
        links_.clear();
        for (int i = cell_start_[cell]; i < cell_start_[cell + 1]; i++) {
            int net = cell_nets_[i];
            Link found{weight_[net], {}, -1, 0, 0};
            for (int k = net_start_[net]; k < net_start_[net + 1]; k++) {
                int pin = net_pins_[k];
                if (netlist_.pin_instance[pin] == cell && found.pin < 0) found.pin = pin;
                else found.others.add(px_[pin], py_[pin]);
            }
            found.x = px_[found.pin] - netlist_.x[cell];
            found.y = py_[found.pin] - netlist_.y[cell];
            links_.push_back(found);
        }
    }

    // Length of the cell's nets if it stood elsewhere; every other row is upside down.
    double linked(int x, int row, int own_row) const {
        bool flips = (row ^ own_row) & 1;
        double sum = 0;
        for (const Link& l : links_) {
            Box box = l.others;
            box.add(x + l.x, row * height_ + (flips ? height_ - l.y : l.y));
            sum += l.weight * box.half();
        }
        return sum;
    }

    // Nearest place to `now` between the weighted medians of the sides of the nets' boxes.
    int wanted(bool is_y, int now) {
        sides_.clear();
        double sum = 0;
        for (const Link& l : links_) {
            int own = is_y ? l.y : l.x;
            sides_.emplace_back((is_y ? l.others.y0 : l.others.x0) - own, l.weight);
            sides_.emplace_back((is_y ? l.others.y1 : l.others.x1) - own, l.weight);
            sum += l.weight;
        }
        if (sides_.empty()) return now;
        std::sort(sides_.begin(), sides_.end());
        double below = 0;
        size_t low = 0;
        while (low < sides_.size() - 1 && below + sides_[low].second < sum - 1e-9)
            below += sides_[low++].second;
        size_t high = low;
        if (below + sides_[low].second < sum + 1e-9 && low + 1 < sides_.size()) high = low + 1;
        return std::clamp(now, int(sides_[low].first), int(sides_[high].first));
    }

    size_t find(int row, int x) const {  // first item from x on
        auto& items = rows_[row];
        return std::lower_bound(items.begin(), items.end(), x,
                                [](const Item& a, int value) { return a.x < value; }) - items.begin();
    }

    size_t item_of(int cell) const {
        size_t at = find(row_[cell], netlist_.x[cell]);
        while (rows_[row_[cell]][at].cell != cell) at++;
        return at;
    }

    // Legal place nearest to x between two ends, for a cell that fits.
    int fit(int x, int low, int high) const {
        return std::clamp((x + site_ / 2) / site_ * site_, low, high);
    }

    bool improve(int cell) {
        link(cell);
        if (links_.empty()) return false;
        int x = netlist_.x[cell], y = netlist_.y[cell], own_row = row_[cell], own_width = width(cell);
        int to_x = wanted(false, x), to_y = wanted(true, y);
        if (std::abs(to_x - x) < site_ && std::abs(to_y - y) < height_) return false;
        double before = linked(x, own_row, own_row);
        size_t own = item_of(cell);
        const Item &left = rows_[own_row][own - 1], &right = rows_[own_row][own + 1];
        int room = right.x - left.end();
        Change best;
        int middle = std::clamp((to_y + height_ / 2) / height_, 0, int(rows_.size()) - 1);
        for (int row = std::max(0, middle - NEAR_ROWS);
             row <= std::min(int(rows_.size()) - 1, middle + NEAR_ROWS); row++) {
            auto& items = rows_[row];
            int at = int(find(row, to_x));
            int last = std::min(int(items.size()) - 1, at + NEAR_ITEMS);
            for (int i = std::max(1, at - NEAR_ITEMS); i <= last; i++) {
                const Item& item = items[i];
                if (item.cell == cell) continue;
                // The place before the item.
                int new_x;
                if (make_room(row, i, cell, to_x, new_x)) {
                    double gain = before - linked(new_x, row, own_row);
                    if (gain > best.gain && !shifts_.empty()) gain -= cost_of_shifts(cell, row, new_x, gain);
                    if (gain > best.gain) best = {gain, row, i, new_x, 0, false, shifts_};
                }
                if (item.cell < 0 || item.width > room || items[i - 1].cell == cell ||
                    items[i + 1].cell == cell)
                    continue;
                int low = items[i - 1].end(), high = items[i + 1].x;
                if (high - low < own_width) continue;
                new_x = fit(to_x, low, high - own_width);
                if (before - linked(new_x, row, own_row) <= best.gain) continue;
                int other_x = fit(x, left.end(), right.x - item.width);
                double gain = exchanged(cell, row, new_x, item.cell, own_row, other_x);
                if (gain > best.gain) best = {gain, row, i, new_x, other_x, true, {}};
            }
        }
        if (best.row < 0) return false;
        auto& items = rows_[best.row];
        if (best.exchanges) {
            int other = items[best.at].cell;
            rows_[own_row][own] = {best.other_x, width(other), other};
            items[best.at] = {best.x, own_width, cell};
            put(other, own_row, best.other_x);
        } else {
            for (const Shift& shift : best.shifts) {
                items[shift.at].x = shift.x;
                slide(shift.cell, shift.x);
            }
            size_t at = best.at;
            rows_[own_row].erase(rows_[own_row].begin() + long(own));
            if (best.row == own_row && own < at) at--;
            items.insert(items.begin() + long(at), {best.x, own_width, cell});
        }
        put(cell, best.row, best.x);
        return true;
    }

    // Find a place near x for a cell between an item and the one before; the neighbours in
    // `shifts_` give way. Return whether there is one.
    bool make_room(int row, int before, int cell, int x, int& new_x) {
        const auto& items = rows_[row];
        int side[2][GIVING_WAY], count[2] = {0, 0}, bound[2];
        for (int to : {0, 1}) {
            int at = to ? before : before - 1, step = to ? 1 : -1, taken = 0;
            for (;; at += step) {
                if (items[at].cell == cell) continue;
                if (items[at].cell < 0 || count[to] == GIVING_WAY) break;
                side[to][count[to]++] = at;
                taken += items[at].width;
            }
            bound[to] = to ? items[at].x - taken : items[at].end() + taken;
        }
        int own = width(cell);
        if (bound[1] - bound[0] < own) return false;
        new_x = fit(x, bound[0], bound[1] - own);
        shifts_.clear();
        int limit = new_x;
        for (int k = 0; k < count[0]; k++) {
            const Item& item = items[side[0][k]];
            if (item.end() <= limit) break;
            limit -= item.width;
            shifts_.push_back({side[0][k], item.cell, limit});
        }
        limit = new_x + own;
        for (int k = 0; k < count[1]; k++) {
            const Item& item = items[side[1][k]];
            if (item.x >= limit) break;
            shifts_.push_back({side[1][k], item.cell, limit});
            limit += item.width;
        }
        return true;
    }

    // What the cells that give way cost, if a cell whose own nets gain `gain` moves.
    double cost_of_shifts(int cell, int row, int x, double gain) {
        begin_comparison();
        collect(cell);
        for (const Shift& shift : shifts_) collect(shift.cell);
        double change = -collected();
        int old_x = netlist_.x[cell], old_row = row_[cell];
        put(cell, row, x);
        for (Shift& shift : shifts_) {
            int old = netlist_.x[shift.cell];
            slide(shift.cell, shift.x);
            shift.x = old;
        }
        change += collected();
        for (Shift& shift : shifts_) {
            int now = netlist_.x[shift.cell];
            slide(shift.cell, shift.x);
            shift.x = now;
        }
        put(cell, old_row, old_x);
        return change + gain;
    }

    // Gain of an exchange of two cells.
    double exchanged(int a, int row_a, int x_a, int b, int row_b, int x_b) {
        int old_a = netlist_.x[a], old_b = netlist_.x[b], from_a = row_[a], from_b = row_[b];
        begin_comparison();
        collect(a);
        collect(b);
        double gain = collected();
        put(a, row_a, x_a);
        put(b, row_b, x_b);
        gain -= collected();
        put(a, from_a, old_a);
        put(b, from_b, old_b);
        return gain;
    }

    // Try all orders of each three neighbours in a row, at the left end and at the right end.
    int reorder(int row) {
        auto& items = rows_[row];
        int changes = 0;
        for (size_t i = 1; i + 3 < items.size(); i++) {
            if (items[i].cell < 0 || items[i + 1].cell < 0 || items[i + 2].cell < 0) continue;
            int low = items[i - 1].end(), high = items[i + 3].x;
            int free = high - low - items[i].width - items[i + 1].width - items[i + 2].width;
            begin_comparison();
            for (size_t k = i; k < i + 3; k++) collect(items[k].cell);
            if (nets_.empty()) continue;
            Item old[3] = {items[i], items[i + 1], items[i + 2]}, best[3];
            double least = collected() - LEAST;
            bool found = false;
            int order[3] = {0, 1, 2};
            do {
                for (int start : {low, high}) {
                    if (start == high && !free) break;
                    int x = start == low ? low : low + free;
                    Item tried[3];
                    for (int k = 0; k < 3; k++) {
                        tried[k] = {x, old[order[k]].width, old[order[k]].cell};
                        slide(tried[k].cell, x);
                        x += tried[k].width;
                    }
                    double now = collected();
                    if (now >= least) continue;
                    least = now;
                    found = true;
                    std::copy(tried, tried + 3, best);
                }
            } while (std::next_permutation(order, order + 3));
            if (found) std::copy(best, best + 3, items.begin() + long(i));
            for (size_t k = i; k < i + 3; k++) slide(items[k].cell, items[k].x);
            changes += found;
        }
        return changes;
    }

    // Move the cells of a row, in their order, to the best places as long as all other cells stay:
    // cells that meet join a cluster, which stands at the median of its points (Kahng, Tucker and
    // Zelikovsky, "Optimization of linear placements for wirelength minimization with free sites",
    // ASP-DAC 1999).
    int align(int row) {
        auto& items = rows_[row];
        int changes = 0;
        for (size_t i = 1, last; i < items.size(); i = last + 1) {
            for (last = i; items[last].cell >= 0; last++) {}
            if (last == i) continue;
            int low = items[i - 1].end(), high = items[last].x;
            clusters_.clear();
            begin_comparison();
            for (size_t k = i; k < last; k++) {
                collect(items[k].cell);
                clusters_.push_back(alone(items[k], k));
                settle(clusters_.back(), items, low, high);
                while (clusters_.size() > 1) {
                    Cluster& before = clusters_[clusters_.size() - 2];
                    if (before.x + before.width <= clusters_.back().x) break;
                    join(before, clusters_.back());
                    clusters_.pop_back();
                    settle(before, items, low, high);
                }
            }
            double gain = collected();
            std::vector<int> old;
            for (const Cluster& c : clusters_) {
                int x = c.x;
                for (size_t k = c.first; k < c.first + c.count; k++) {
                    old.push_back(items[k].x);
                    slide(items[k].cell, items[k].x = x);
                    x += items[k].width;
                }
            }
            gain -= collected();
            changes += gain > LEAST;
            if (gain > LEAST) continue;
            for (size_t k = i; k < last; k++) slide(items[k].cell, items[k].x = old[k - i]);
        }
        return changes;
    }

    Cluster alone(const Item& item, size_t at) {
        Cluster c{item.x, item.width, at, 1, 0, {}};
        link(item.cell);
        for (const Link& l : links_) {
            c.weight += l.weight;
            c.points.emplace_back(l.others.x0 - l.x, l.weight);
            c.points.emplace_back(l.others.x1 - l.x, l.weight);
        }
        std::sort(c.points.begin(), c.points.end());
        return c;
    }

    static void join(Cluster& a, const Cluster& b) {
        size_t middle = a.points.size();
        for (auto [x, weight] : b.points) a.points.emplace_back(x - a.width, weight);
        std::inplace_merge(a.points.begin(), a.points.begin() + long(middle), a.points.end());
        a.width += b.width, a.count += b.count, a.weight += b.weight;
    }

    // Put a cluster on the legal place nearest to its first cell's where its cost is least.
    void settle(Cluster& c, const std::vector<Item>& items, int low, int high) const {
        int x = items[c.first].x;
        double below = 0;
        for (size_t k = 0; k < c.points.size(); k++) {
            below += c.points[k].second;
            if (below < c.weight - 1e-9) continue;
            bool flat = below < c.weight + 1e-9 && k + 1 < c.points.size();
            x = std::clamp(x, c.points[k].first, c.points[flat ? k + 1 : k].first);
            break;
        }
        c.x = fit(std::max(x, low), low, high - c.width);
    }
};

}  // namespace physical
