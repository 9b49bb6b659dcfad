// Makes wires shorter on legal places: cells move into gaps, change places, and change their order.
//
// A cell is wanted in the rectangle of the medians of its nets' sides; there, gaps that are wide
// enough and cells that fit into the cell's own place are tried (Pan, Viswanathan and Chu,
// "An efficient and effective detailed placement algorithm", ICCAD 2005). Then each three
// neighbours in a row are tried in all orders. What counts is the sum of half the perimeters of the
// nets' boxes, by the nets' weights.

#pragma once

#include "netlist.h"

namespace physical {

class Shorten {
  public:
    // keeps_clock: cells at the clock's nets stay where they are.
    Shorten(Netlist& netlist, const RowArrays& rows, const double* weights, bool keeps_clock)
        : netlist_(netlist), height_(int(rows.row_height)), site_(int(rows.site_width)),
          end_(int(rows.sites) * site_), rows_(rows.rows), row_(netlist.count()),
          weight_(weights, weights + netlist.nets.size()) {
        for (int64_t i = 0; i < rows.fixed; i++)
            rows_[rows.fixed_y[i] / height_].push_back({rows.fixed_x[i], rows.fixed_width[i], -1});
        for (int i = 0; i < netlist_.count(); i++) {
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
        px_.resize(netlist_.pin_net.size());
        py_.resize(netlist_.pin_net.size());
        for (int i = 0; i < netlist_.count(); i++) place_pins(i);
        for (size_t n = 0; n < netlist_.nets.size(); n++) {
            size_t pins = netlist_.nets[n].pins.size();
            if (pins < 2 || pins > MOST_PINS) weight_[n] = 0;
        }
    }

    // Run passes until one gains little. Return the number of changes.
    int run() {
        int changes = 0;
        double length = total();
        for (int pass = 0; pass < PASSES; pass++) {
            for (int cell : movable_) changes += improve(cell);
            for (int row = 0; row < int(rows_.size()); row++) changes += reorder(row);
            double now = total();
            if (now > length * (1 - LEAST_GAIN)) break;
            length = now;
        }
        for (int cell : movable_) netlist_.moved(cell);
        return changes;
    }

  private:
    static constexpr int PASSES = 6;
    static constexpr double LEAST_GAIN = 0.001;  // of the length, by a pass
    static constexpr size_t MOST_PINS = 100;     // of a net that counts
    static constexpr int NEAR_ROWS = 3;          // rows above and below the wanted one
    static constexpr int NEAR_ITEMS = 8;         // cells left and right of the wanted place

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
    // A net of the cell that moves: the box of the other pins, and the cell's own pins.
    struct Link {
        double weight;
        Box others;
        int pin;   // the first of the cell's pins at the net; further ones count as others
        int x, y;  // of that pin, from the cell's lower left corner
    };
    struct Change {
        double gain = 1e-6;
        int row = -1, at = -1;  // the item that is exchanged, or before which there is a gap
        int x = 0, other_x = 0;
        bool exchanges = false;
    };

    Netlist& netlist_;
    int height_, site_, end_;
    std::vector<std::vector<Item>> rows_;
    std::vector<int> row_, movable_;
    std::vector<double> weight_;
    std::vector<int> px_, py_;
    std::vector<Link> links_;
    std::vector<std::pair<double, double>> sides_;
    std::vector<int> nets_;

    int width(int cell) const { return netlist_.cell(cell).width; }

    bool is_of_clock(int cell) const {
        int first = netlist_.pin0[cell], count = int(netlist_.cell(cell).pins.size());
        return std::any_of(netlist_.pin_net.begin() + first, netlist_.pin_net.begin() + first + count,
                           [&](int net) { return net >= 0 && netlist_.nets[net].clock; });
    }

    void place_pins(int cell) {
        int first = netlist_.pin0[cell], count = int(netlist_.cell(cell).pins.size());
        for (int pin = first; pin < first + count; pin++)
            std::tie(px_[pin], py_[pin]) = netlist_.place(pin);
    }

    // Put a cell somewhere; in odd rows it is upside down.
    void put(int cell, int row, int x) {
        uint8_t orient = netlist_.orient[cell];
        bool mirrored = orient >= 2;
        netlist_.x[cell] = x;
        netlist_.y[cell] = row * height_;
        netlist_.orient[cell] = row % 2 ? (mirrored ? 2 : 1) : (mirrored ? 3 : 0);
        row_[cell] = row;
        place_pins(cell);
    }

    double cost(int net) const {
        Box box;
        for (int pin : netlist_.nets[net].pins) box.add(px_[pin], py_[pin]);
        return weight_[net] * box.half();
    }

    double total() const {
        double sum = 0;
        for (size_t net = 0; net < netlist_.nets.size(); net++)
            if (weight_[net] > 0) sum += cost(int(net));
        return sum;
    }

    void collect(int cell) {
        int first = netlist_.pin0[cell], count = int(netlist_.cell(cell).pins.size());
        for (int pin = first; pin < first + count; pin++) {
            int net = netlist_.pin_net[pin];
            if (net >= 0 && weight_[net] > 0 &&
                std::find(nets_.begin(), nets_.end(), net) == nets_.end())
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
        nets_.clear();
        collect(cell);
        for (int net : nets_) {
            Link found{weight_[net], {}, -1, 0, 0};
            for (int pin : netlist_.nets[net].pins) {
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
                // The gap before the item; the cell's own place is a part of it.
                const Item* previous = &items[i - 1];
                if (previous->cell == cell) previous = &items[i - 2];
                if (item.x - previous->end() >= own_width) {
                    int new_x = fit(to_x, previous->end(), item.x - own_width);
                    double gain = before - linked(new_x, row, own_row);
                    if (gain > best.gain) best = {gain, row, i, new_x, 0, false};
                }
                if (item.cell < 0 || item.width > room || previous != &items[i - 1] ||
                    items[i + 1].cell == cell)
                    continue;
                int low = previous->end(), high = items[i + 1].x;
                if (high - low < own_width) continue;
                int new_x = fit(to_x, low, high - own_width);
                if (before - linked(new_x, row, own_row) <= best.gain) continue;
                int other_x = fit(x, left.end(), right.x - item.width);
                double gain = exchanged(cell, row, new_x, item.cell, own_row, other_x);
                if (gain > best.gain) best = {gain, row, i, new_x, other_x, true};
            }
        }
        if (best.row < 0) return false;
        auto& items = rows_[best.row];
        if (best.exchanges) {
            int other = items[best.at].cell;
            Item& mine = rows_[own_row][own];
            mine = {best.other_x, width(other), other};
            items[best.at] = {best.x, own_width, cell};
            put(other, own_row, best.other_x);
        } else {
            size_t at = best.at;
            rows_[own_row].erase(rows_[own_row].begin() + long(own));
            if (best.row == own_row && own < at) at--;
            items.insert(items.begin() + long(at), {best.x, own_width, cell});
        }
        put(cell, best.row, best.x);
        return true;
    }

    // Gain of an exchange of two cells.
    double exchanged(int a, int row_a, int x_a, int b, int row_b, int x_b) {
        int old_a = netlist_.x[a], old_b = netlist_.x[b], from_a = row_[a], from_b = row_[b];
        nets_.clear();
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
            nets_.clear();
            for (size_t k = i; k < i + 3; k++) collect(items[k].cell);
            if (nets_.empty()) continue;
            Item old[3] = {items[i], items[i + 1], items[i + 2]}, best[3];
            double least = collected() - 1e-6;
            bool found = false;
            int order[3] = {0, 1, 2};
            do {
                for (int start : {low, high}) {
                    if (start == high && !free) break;
                    int x = start == low ? low : low + free;
                    Item tried[3];
                    for (int k = 0; k < 3; k++) {
                        tried[k] = {x, old[order[k]].width, old[order[k]].cell};
                        put(tried[k].cell, row, x);
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
            for (size_t k = i; k < i + 3; k++) put(items[k].cell, row, items[k].x);
            changes += found;
        }
        return changes;
    }
};

}  // namespace physical
