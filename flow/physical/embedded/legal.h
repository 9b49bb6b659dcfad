// Legal places near given ones: Abacus (Spindler, Schlichtmann and Johannes, ISPD 2008).
//
// Cells are taken from left to right. Each is tried at the end of the rows nearby, where it joins a
// cluster of cells that stand side by side; a cluster stands where the sum of its cells' squared
// movements, by their widths, is least. Rows are cut by fixed cells.

#pragma once

#include "netlist.h"

namespace physical {

class Legal {
  public:
    Legal(Netlist& netlist, const RowArrays& rows)
        : netlist_(netlist), height_(int(rows.row_height)), site_(int(rows.site_width)),
          rows_(rows.rows) {
        std::vector<std::vector<std::pair<int, int>>> walls(rows.rows);
        for (int64_t i = 0; i < rows.fixed; i++)
            walls[rows.fixed_y[i] / height_].emplace_back(
                rows.fixed_x[i] / site_, (rows.fixed_x[i] + rows.fixed_width[i] + site_ - 1) / site_);
        for (size_t row = 0; row < rows_.size(); row++) {
            std::sort(walls[row].begin(), walls[row].end());
            walls[row].emplace_back(int(rows.sites), int(rows.sites));
            int from = 0;
            for (auto [left, right] : walls[row]) {
                if (left > from) rows_[row].push_back({from, left});
                from = std::max(from, right);
            }
        }
    }

    // Move all cells; return whether all have found a place.
    bool run() {
        std::vector<int> order;
        for (int i = 0; i < netlist_.count(); i++)
            if (netlist_.kind[i] >= 0 && netlist_.cell(i).width > 0) order.push_back(i);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            return std::make_pair(netlist_.x[a], a) < std::make_pair(netlist_.x[b], b);
        });
        for (int cell : order)
            if (!insert(cell)) return false;
        for (size_t row = 0; row < rows_.size(); row++)
            for (Segment& segment : rows_[row]) settle(segment, int(row));
        return true;
    }

  private:
    // Cells side by side; their best place is sum / weight.
    struct Cluster {
        double x, weight, sum;
        int width;
        size_t first;  // of its cells in the segment
    };
    // Part of a row between fixed cells; all lengths in sites.
    struct Segment {
        int low, high, used = 0;
        std::vector<int> cells;
        std::vector<Cluster> clusters;
    };

    Netlist& netlist_;
    int height_, site_;
    std::vector<std::vector<Segment>> rows_;

    int width(int cell) const { return netlist_.cell(cell).width / site_; }

    static double within(double x, const Segment& s, int width) {
        return std::min(std::max(x, double(s.low)), double(s.high - width));
    }

    bool insert(int cell) {
        double x = double(netlist_.x[cell]) / site_, y = double(netlist_.y[cell]) / height_;
        double unit = double(height_) / site_, best = 1e30;
        int own = width(cell), middle = std::clamp(int(y + 0.5), 0, int(rows_.size()) - 1);
        Segment* found = nullptr;
        auto attempt = [&](int row) {
            double up = std::fabs(row - y) * unit;
            if (up >= best) return false;
            for (Segment& s : rows_[row]) {
                if (s.used + own > s.high - s.low) continue;
                if (std::fabs(within(x, s, own) - x) + up >= best) continue;
                double cost = std::fabs(place_last(s, x, own) - x) + up;
                if (cost < best) best = cost, found = &s;
            }
            return true;
        };
        bool above = true, below = true;
        for (int away = 0; above || below; away++) {
            above = above && middle + away < int(rows_.size()) && attempt(middle + away);
            below = below && middle - away >= 0 && (!away || attempt(middle - away));
        }
        if (!found) return false;
        append(*found, cell, x, own);
        return true;
    }

    // Place that a cell at the end of a segment would get.
    static double place_last(const Segment& s, double x, int own) {
        double weight = own, sum = own * within(x, s, own);
        int width = own;
        for (size_t k = s.clusters.size();; k--) {
            double at = within(sum / weight, s, width);
            if (!k || s.clusters[k - 1].x + s.clusters[k - 1].width <= at) return at + width - own;
            const Cluster& before = s.clusters[k - 1];
            sum = before.sum + sum - weight * before.width;
            weight += before.weight, width += before.width;
        }
    }

    static void append(Segment& s, int cell, double x, int own) {
        double at = within(x, s, own);
        s.clusters.push_back({at, double(own), own * at, own, s.cells.size()});
        s.cells.push_back(cell);
        s.used += own;
        while (true) {
            Cluster& last = s.clusters.back();
            last.x = within(last.sum / last.weight, s, last.width);
            if (s.clusters.size() < 2) return;
            Cluster& before = s.clusters[s.clusters.size() - 2];
            if (before.x + before.width <= last.x) return;
            before.sum += last.sum - last.weight * before.width;
            before.weight += last.weight, before.width += last.width;
            s.clusters.pop_back();
        }
    }

    // Put the cells of a segment on sites.
    void settle(const Segment& s, int row) {
        std::vector<int> x(s.cells.size());
        int end = s.low;
        for (size_t k = 0; k < s.clusters.size(); k++) {
            size_t last = k + 1 < s.clusters.size() ? s.clusters[k + 1].first : s.cells.size();
            end = std::max(end, int(s.clusters[k].x + 0.5));
            for (size_t i = s.clusters[k].first; i < last; i++) x[i] = end, end += width(s.cells[i]);
        }
        int limit = s.high;
        for (size_t i = s.cells.size(); i-- > 0;) {
            int cell = s.cells[i];
            limit = std::min(x[i], limit - width(cell));
            netlist_.put(cell, limit * site_, row, height_);
            netlist_.moved(cell);
        }
    }
};

}  // namespace physical
