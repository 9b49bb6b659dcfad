// Rectilinear Steiner trees, rooted at the driver.
//
// A tree starts as a Prim-Dijkstra spanning tree of the pins. Then edges are exchanged as long as
// that makes the tree better: a node is joined to the nearest point of an edge's bounding box, where
// a Steiner point is inserted, and an edge of the cycle that appears is removed (Borah, Owens and
// Irwin, "An edge-based heuristic for Steiner routing", IEEE TCAD 13, 1994). Trees of two and three
// pins are exact. Large trees only get the medians of two edges that meet in a node.
//
// Coordinates are integers in database units, of less than 2^30 in absolute value.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <queue>
#include <utility>
#include <vector>

namespace physical {

// Nodes 0..n-1 are the pins, node 0 is the driver; Steiner points follow.
struct Tree {
    std::vector<int32_t> x, y;
    std::vector<int32_t> parent;  // -1 for the driver
    std::vector<int32_t> order;   // all nodes, each one after its parent

    int size() const { return int(parent.size()); }

    // Length of the edge from a node to its parent; 0 for the driver.
    int64_t edge(int node) const {
        int up = parent[node];
        return up < 0 ? 0 : std::abs(int64_t(x[node]) - x[up]) + std::abs(int64_t(y[node]) - y[up]);
    }

    int64_t length() const {
        int64_t sum = 0;
        for (int node = 0; node < size(); node++) sum += edge(node);
        return sum;
    }
};

// Builds trees; keep one builder for many nets, as it reuses its memory.
class SteinerBuilder {
  public:
    // alpha: price of a driver's path, in lengths of wire, from 0 (shortest tree) to 1 (shortest
    // paths). Joining a node to a tree costs the new wire + alpha x the path from the driver to it.
    explicit SteinerBuilder(double alpha = 0.0) : alpha_(int64_t(alpha * SCALE + 0.5)) {}

    // Make the tree of a net with n >= 1 pins.
    void build(int n, const int32_t* px, const int32_t* py, Tree& tree) {
        tree.x.assign(px, px + n);
        tree.y.assign(py, py + n);
        tree.parent.assign(n, 0);
        tree.parent[0] = -1;
        if (n == 3) {
            median_of_three(tree);
        } else if (n > 3) {
            prim_dijkstra(tree);
            merge_edges(tree);
            if (n <= EXCHANGED) exchange_edges(tree);
            remove_needless(n, tree);
        }
        sort(tree);
    }

  private:
    static constexpr int64_t SCALE = 1024;
    static constexpr int EXCHANGED = 64;     // most pins of a net whose edges are exchanged
    static constexpr int PASSES = 4;         // most passes over a net's nodes
    static constexpr size_t NEIGHBOURS = 8;  // most neighbours in angle that are paired, per edge

    static int64_t distance(const Tree& t, int a, int b) {
        return std::abs(int64_t(t.x[a]) - t.x[b]) + std::abs(int64_t(t.y[a]) - t.y[b]);
    }

    static int32_t clamp(int32_t value, int32_t a, int32_t b) {
        return std::min(std::max(value, std::min(a, b)), std::max(a, b));
    }

    static int add(Tree& t, int32_t x, int32_t y, int parent) {
        t.x.push_back(x);
        t.y.push_back(y);
        t.parent.push_back(parent);
        return t.size() - 1;
    }

    static void median_of_three(Tree& t) {
        int32_t x = clamp(t.x[0], t.x[1], t.x[2]), y = clamp(t.y[0], t.y[1], t.y[2]);
        for (int pin = 0; pin < 3; pin++) {
            if (x == t.x[pin] && y == t.y[pin]) {  // the median is a pin
                if (pin) t.parent[3 - pin] = pin;
                return;
            }
        }
        int point = add(t, x, y, 0);
        t.parent[1] = t.parent[2] = point;
    }

    void prim_dijkstra(Tree& t) {
        int n = t.size();
        key_.resize(n);
        waiting_.resize(n);
        path_.assign(n, 0);
        for (int i = 1; i < n; i++) {
            waiting_[i - 1] = i;
            key_[i - 1] = SCALE * distance(t, i, 0);
        }
        for (int count = n - 1; count; count--) {
            int best = int(std::min_element(key_.begin(), key_.begin() + count) - key_.begin());
            int node = waiting_[best];
            path_[node] = path_[t.parent[node]] + t.edge(node);
            waiting_[best] = waiting_[count - 1];
            key_[best] = key_[count - 1];
            int64_t x = t.x[node], y = t.y[node], base = alpha_ * path_[node];
            for (int i = 0; i < count - 1; i++) {
                int other = waiting_[i];
                int64_t key = SCALE * (std::abs(t.x[other] - x) + std::abs(t.y[other] - y)) + base;
                if (key < key_[i]) {
                    key_[i] = key;
                    t.parent[other] = node;
                }
            }
        }
    }

    // Cost of the edge to a node's parent, as Prim-Dijkstra counts it.
    int64_t cost(const Tree& t, int node) const {
        return SCALE * t.edge(node) + alpha_ * path_[t.parent[node]];
    }

    void measure_paths(Tree& t) {
        sort(t);
        path_.assign(t.size(), 0);
        for (int node : t.order)
            if (t.parent[node] >= 0) path_[node] = path_[t.parent[node]] + t.edge(node);
    }

    struct Exchange {
        int64_t gain = 0;
        int edge = -1;     // the node below the edge that is joined
        int removed = -1;  // the node below the edge that is removed
        int32_t x = 0, y = 0;
    };

    void exchange_edges(Tree& t) {
        measure_paths(t);
        bool changed = true;
        for (int pass = 0; changed && pass < PASSES; pass++) {
            changed = false;
            for (int node = 0; node < t.size(); node++) {
                Exchange best = best_exchange(t, node);
                if (best.gain <= 0) continue;
                apply(t, node, best);
                measure_paths(t);
                changed = true;
            }
        }
    }

    // Find the best edge to which a node can be joined.
    Exchange best_exchange(const Tree& t, int node) {
        // dearest_[i]: dearest edge on the path from the node to node i, by the node below the edge
        dearest_.assign(t.size(), -1);
        price_.assign(t.size(), -1);
        above_.assign(t.size(), 0);
        for (int at = node; at >= 0; at = t.parent[at]) {
            above_[at] = 1;
            int up = t.parent[at];
            if (up >= 0) step(at, up, cost(t, at), at);
        }
        for (int at : t.order)
            if (!above_[at]) step(t.parent[at], at, cost(t, at), at);
        Exchange best;
        for (int low : t.order) {
            int high = t.parent[low];
            if (high < 0 || low == node || high == node) continue;
            int32_t x = clamp(t.x[node], t.x[low], t.x[high]);
            int32_t y = clamp(t.y[node], t.y[low], t.y[high]);
            int64_t join = std::abs(int64_t(t.x[node]) - x) + std::abs(int64_t(t.y[node]) - y);
            int near = price_[low] < price_[high] ? low : high;
            if (price_[near] <= SCALE * join) continue;
            int removed = dearest_[near];
            // The node's side is cut off and joins at the point, or the edge's side joins the node.
            int64_t point = path_[high] + std::abs(int64_t(t.x[high]) - x) +
                            std::abs(int64_t(t.y[high]) - y);
            int64_t start = above_[removed] ? point : path_[node];
            int64_t gain = price_[near] - SCALE * join - alpha_ * start;
            if (gain > best.gain) best = {gain, low, removed, x, y};
        }
        return best;
    }

    void step(int from, int to, int64_t price, int edge) {
        bool dearer = price > price_[from];
        price_[to] = dearer ? price : price_[from];
        dearest_[to] = dearer ? edge : dearest_[from];
    }

    void apply(Tree& t, int node, const Exchange& exchange) {
        int low = exchange.edge, high = t.parent[low], removed = exchange.removed;
        int point = -1;
        for (int end : {low, high})
            if (t.x[end] == exchange.x && t.y[end] == exchange.y) point = end;
        bool inside = point < 0;
        if (inside) {
            point = add(t, exchange.x, exchange.y, high);
            t.parent[low] = point;
            above_.push_back(above_[low]);
        }
        // Turn the parents of the part that is cut off, from its joined node up to the removed edge.
        int child = above_[removed] ? node : point, parent = above_[removed] ? point : node;
        while (true) {
            int up = t.parent[child];
            t.parent[child] = parent;
            if (child == removed) break;
            parent = child;
            child = up;
        }
    }

    // Join the two edges of a node in the median of their three ends, the best pair first.
    void merge_edges(Tree& t) {
        neighbours_.assign(t.size(), {});
        for (int node = 1; node < t.size(); node++) {
            neighbours_[node].push_back(t.parent[node]);
            neighbours_[t.parent[node]].push_back(node);
        }
        std::priority_queue<std::pair<int64_t, int>> queue;  // gain and node; old entries stay in it
        for (int node = 0; node < t.size(); node++) queue.emplace(best_pair(t, node).gain, -node);
        while (!queue.empty() && queue.top().first > 0) {
            auto [gain, key] = queue.top();
            queue.pop();
            int node = -key;
            Pair pair = best_pair(t, node);
            if (pair.gain != gain) {
                if (pair.gain < gain) queue.emplace(pair.gain, key);
                continue;  // a higher gain has an entry of its own
            }
            int point = add(t, pair.x, pair.y, 0);
            neighbours_.push_back({node, pair.a, pair.b});
            auto& own = neighbours_[node];
            own.erase(std::find(own.begin(), own.end(), pair.a));
            *std::find(own.begin(), own.end(), pair.b) = point;
            for (int end : {pair.a, pair.b}) {
                auto& list = neighbours_[end];
                *std::find(list.begin(), list.end(), node) = point;
            }
            for (int changed : {node, pair.a, pair.b, point})
                queue.emplace(best_pair(t, changed).gain, -changed);
        }
        orient(t);
    }

    struct Pair {
        int64_t gain = 0;
        int a = -1, b = -1;
        int32_t x = 0, y = 0;
    };

    Pair best_pair(const Tree& t, int node) {
        auto& list = neighbours_[node];
        size_t count = list.size(), reach = count;
        if (count > 3 * NEIGHBOURS) {  // only pairs that are close in angle
            reach = NEIGHBOURS;
            std::sort(list.begin(), list.end(), [&](int a, int b) {
                auto angle = [&](int other) {  // grows with the angle, from 0 to 4
                    int64_t dx = t.x[other] - t.x[node], dy = t.y[other] - t.y[node];
                    double part = double(dx) / std::max<int64_t>(1, std::abs(dx) + std::abs(dy));
                    return dy >= 0 ? 1 - part : 3 + part;
                };
                double first = angle(a), second = angle(b);
                return first != second ? first < second : a < b;
            });
        }
        Pair best;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i + 1; j < std::min(count, i + 1 + reach); j++) {
                int a = list[i], b = list[j];
                int32_t x = clamp(t.x[node], t.x[a], t.x[b]);
                int32_t y = clamp(t.y[node], t.y[a], t.y[b]);
                // Median of the three: clamped also where the node lies inside or outside of both.
                int64_t gain = std::abs(int64_t(t.x[node]) - x) + std::abs(int64_t(t.y[node]) - y);
                if (gain > best.gain) best = {gain, a, b, x, y};
            }
        }
        return best;
    }

    // Set the parents by the neighbours, from the driver on.
    void orient(Tree& t) {
        stack_.assign(1, 0);
        t.parent[0] = -1;
        while (!stack_.empty()) {
            int node = stack_.back();
            stack_.pop_back();
            for (int other : neighbours_[node]) {
                if (other == t.parent[node]) continue;
                t.parent[other] = node;
                stack_.push_back(other);
            }
        }
    }

    // Remove the Steiner points with fewer than two children; others take their numbers.
    void remove_needless(int n, Tree& t) {
        sort(t);
        int size = t.size();
        children_.assign(size, 0);
        for (int place = size - 1; place > 0; place--) {
            int node = t.order[place];
            if (node < n || children_[node]) children_[t.parent[node]]++;
        }
        auto kept = [&](int node) { return node < n || children_[node] > 1; };
        for (int node : t.order)  // the parents of a node's parent are right already
            if (node && !kept(t.parent[node])) t.parent[node] = t.parent[t.parent[node]];
        number_.resize(size);
        int count = 0;
        for (int node = 0; node < size; node++) number_[node] = kept(node) ? count++ : -1;
        for (int node = 0; node < size; node++) {
            if (!kept(node)) continue;
            int place = number_[node];
            t.x[place] = t.x[node];
            t.y[place] = t.y[node];
            t.parent[place] = node ? number_[t.parent[node]] : -1;
        }
        t.x.resize(count);
        t.y.resize(count);
        t.parent.resize(count);
    }

    // Set the order: by depth-first search, children in the order of their numbers.
    void sort(Tree& t) {
        int size = t.size();
        first_.assign(size, -1);
        next_.assign(size, -1);
        for (int node = size - 1; node > 0; node--) {
            int up = t.parent[node];
            next_[node] = first_[up];
            first_[up] = node;
        }
        t.order.clear();
        stack_.assign(1, 0);
        while (!stack_.empty()) {
            int node = stack_.back();
            stack_.pop_back();
            t.order.push_back(node);
            for (int low = first_[node]; low >= 0; low = next_[low]) stack_.push_back(low);
        }
    }

    int64_t alpha_;
    std::vector<int64_t> key_, path_, price_;
    std::vector<int> waiting_, dearest_, first_, next_, stack_, number_, children_;
    std::vector<char> above_;
    std::vector<std::vector<int>> neighbours_;
};

}  // namespace physical
