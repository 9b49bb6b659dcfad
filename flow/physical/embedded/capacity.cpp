// Global router: do the wires of all nets fit into the tracks? (capacity.py)
//
// The core is a grid of cells. An edge between two neighbouring cells has a capacity: the tracks
// that cross it. A connection (an edge of a net's Steiner tree) is a path of edges between two
// cells. All connections first get the cheapest of the paths with at most two bends. Then the paths
// negotiate (McMurchie and Ebeling, "PathFinder", FPGA 1995): every connection on an edge with too
// many wires looks for the cheapest path anew; edges that stay too full become dearer.
//
// A net takes one track of an edge, however many of its connections pass there. So a connection
// follows the net's other connections as far as that is cheaper: trees find new branching points.
//
// Capacities and demands are whole numbers, in quarters of a track. Nothing depends on chance.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr int32_t WIRE = 4;      // demand of a wire
constexpr int32_t STEP = 64;     // cost of an edge that is free
constexpr int32_t SHARED = 0;    // cost of an edge on which the net has a wire already
constexpr int32_t DEAREST = 1 << 16;  // highest cost of an edge
constexpr int32_t PATIENCE = 7;  // rounds without 10 % less overflow after which routing ends
constexpr int32_t HOPELESS_ROUND = 8;     // after this round, routing ends if the overflow is more
constexpr int64_t HOPELESS_SHARE = 400;   // than this part of the capacity
constexpr int BENDS = 16;        // most places that are tried for the middle piece of a path

struct Point {
    int32_t x, y;
};

class Router {
  public:
    Router(int32_t width, int32_t height, const int32_t* capacity, int32_t* demand)
        : width_(width), height_(height), capacity_(capacity), demand_(demand),
          history_(2 * width * height, 0), cost_(2 * width * height), own_(2 * width * height, 0),
          reached_(width * height) {
        update_costs();
    }

    int64_t overflow() const {
        int64_t sum = 0;
        for (size_t edge = 0; edge < cost_.size(); edge++)
            sum += std::max(0, demand_[edge] - capacity_[edge]);
        return sum;
    }

    int64_t capacity() const {
        return std::accumulate(capacity_, capacity_ + cost_.size(), int64_t(0));
    }

    bool is_full(int32_t edge) const { return demand_[edge] > capacity_[edge]; }

    // Whether every edge of a path has room for one more wire of the net.
    bool fits(const std::vector<int32_t>& path) const {
        return std::all_of(path.begin(), path.end(), [&](int32_t edge) {
            return own_[edge] ? !is_full(edge) : demand_[edge] + WIRE <= capacity_[edge];
        });
    }

    // Make a net, with the paths that it has, the one that is routed; or leave it.
    void enter(const std::vector<int32_t>* first, const std::vector<int32_t>* last) {
        for (; first != last; first++)
            for (int32_t edge : *first) own_[edge]++;
    }
    void leave(const std::vector<int32_t>* first, const std::vector<int32_t>* last) {
        for (; first != last; first++)
            for (int32_t edge : *first) own_[edge] = 0;
    }

    // Add a path to the net that is routed, or remove it.
    void add(const std::vector<int32_t>& path) {
        for (int32_t edge : path)
            if (own_[edge]++ == 0) take(edge, WIRE);
    }
    void remove(const std::vector<int32_t>& path) {
        for (int32_t edge : path)
            if (--own_[edge] == 0) take(edge, -WIRE);
    }

    // Make the full edges dearer from now on.
    void remember() {
        for (size_t edge = 0; edge < cost_.size(); edge++) {
            if (is_full(int32_t(edge))) history_[edge] += STEP / 2;
        }
    }

    void set_pressure(int32_t pressure) {
        pressure_ = pressure;
        update_costs();
    }

    // Cheapest path with at most two bends.
    void route_pattern(Point a, Point b, std::vector<int32_t>& path) {
        int64_t best = INT64_MAX;
        int32_t best_at = 0;
        bool is_best_vertical = false;
        for (bool is_vertical : {false, true}) {  // direction of the middle piece
            int32_t first = is_vertical ? a.x : a.y, last = is_vertical ? b.x : b.y;
            int32_t span = std::abs(last - first), stride = span / BENDS + 1;
            int32_t sign = last < first ? -1 : 1;
            for (int32_t step = 0; step <= span; step = step < span ? std::min(span, step + stride) : span + 1) {
                int32_t at = first + sign * step;
                Point p = a, q = b;
                (is_vertical ? p.x : p.y) = at;
                (is_vertical ? q.x : q.y) = at;
                int64_t cost = line_cost(a, p) + line_cost(p, q) + line_cost(q, b);
                if (cost < best) {
                    best = cost;
                    best_at = at;
                    is_best_vertical = is_vertical;
                }
            }
        }
        Point p = a, q = b;
        (is_best_vertical ? p.x : p.y) = best_at;
        (is_best_vertical ? q.x : q.y) = best_at;
        path.clear();
        for (auto [from, to] : {std::pair{a, p}, std::pair{p, q}, std::pair{q, b}})
            each_edge(from, to, [&](int32_t edge) { path.push_back(edge); });
    }

    // Cheapest path in the rectangle of both ends and `margin` cells around (A*).
    void route_maze(Point a, Point b, int32_t margin, std::vector<int32_t>& path) {
        int32_t x0 = std::max(0, std::min(a.x, b.x) - margin);
        int32_t y0 = std::max(0, std::min(a.y, b.y) - margin);
        int32_t x1 = std::min(width_ - 1, std::max(a.x, b.x) + margin);
        int32_t y1 = std::min(height_ - 1, std::max(a.y, b.y) + margin);
        int32_t start = cell(a.x, a.y), goal = cell(b.x, b.y);
        run_++;
        heap_.clear();
        auto reach = [&](int32_t to, int32_t x, int32_t y, int32_t cost, int32_t from) {
            Reached& cell = reached_[to];
            if (cell.run == run_ && cell.cost <= cost) return;
            cell = {run_, cost, from};
            heap_.push_back(Entry(cost, std::abs(x - b.x) + std::abs(y - b.y), x, y));
            std::push_heap(heap_.begin(), heap_.end());
        };
        reach(start, a.x, a.y, 0, -1);
        while (true) {
            std::pop_heap(heap_.begin(), heap_.end());
            Entry entry = heap_.back();
            heap_.pop_back();
            int32_t x = entry.x, y = entry.y, at = cell(x, y), cost = reached_[at].cost;
            if (entry.total - entry.rest * STEP != cost) continue;  // an old entry
            work_++;
            if (at == goal) break;
            if (x > x0) reach(at - 1, x - 1, y, cost + price(2 * (at - 1)), at);
            if (x < x1) reach(at + 1, x + 1, y, cost + price(2 * at), at);
            if (y > y0) reach(at - width_, x, y - 1, cost + price(2 * (at - width_) + 1), at);
            if (y < y1) reach(at + width_, x, y + 1, cost + price(2 * at + 1), at);
        }
        path.clear();
        for (int32_t at = goal; at != start; at = reached_[at].from) {
            int32_t from = reached_[at].from, low = std::min(at, from);
            bool is_vertical = at % width_ == from % width_;
            path.push_back(2 * low + is_vertical);
        }
    }

    int64_t work() const { return work_; }

  private:
    struct Reached {
        uint32_t run = 0;  // number of the search in which the cell was reached
        int32_t cost, from;
    };

    // A cell to visit: the cost of the way to it, and at least of the rest of the way.
    struct Entry {
        Entry(int32_t cost, int32_t rest_, int32_t x_, int32_t y_)
            : total(cost + rest_ * STEP), rest(rest_), x(int16_t(x_)), y(int16_t(y_)) {}

        int32_t total, rest;
        int16_t x, y;

        // The first in the heap has the lowest total; of equal ones, the one nearest to the end.
        bool operator<(const Entry& other) const {
            if (total != other.total) return total > other.total;
            if (rest != other.rest) return rest > other.rest;
            return y != other.y ? y > other.y : x > other.x;
        }
    };

    int32_t cell(int32_t x, int32_t y) const { return y * width_ + x; }

    // Cost of an edge for the net that is routed.
    int32_t price(int32_t edge) const { return own_[edge] ? SHARED : cost_[edge]; }

    void take(int32_t edge, int32_t wires) {
        demand_[edge] += wires;
        update_cost(edge);
    }

    template <typename Function>
    void each_edge(Point a, Point b, Function function) const {
        for (int32_t x = std::min(a.x, b.x); x < std::max(a.x, b.x); x++)
            function(2 * cell(x, a.y));
        for (int32_t y = std::min(a.y, b.y); y < std::max(a.y, b.y); y++)
            function(2 * cell(a.x, y) + 1);
    }

    int64_t line_cost(Point a, Point b) const {
        int64_t sum = 0;
        each_edge(a, b, [&](int32_t edge) { sum += price(edge); });
        return sum;
    }

    // Cost of one more wire on an edge: history x pressure by the wires that are too many. From 3/4
    // of the capacity on, the cost rises a little.
    void update_cost(int32_t edge) {
        int32_t after = demand_[edge] + WIRE, room = capacity_[edge];
        int64_t cost = STEP + history_[edge];
        if (after > room) cost += cost * pressure_ * (after - room) / (16 * WIRE) + STEP / 8;
        else if (4 * after > 3 * room) cost += STEP * (4 * after - 3 * room) / (8 * room);
        cost_[edge] = int32_t(std::min<int64_t>(cost, DEAREST));
    }

    void update_costs() {
        for (size_t edge = 0; edge < cost_.size(); edge++) update_cost(int32_t(edge));
    }

    int32_t width_, height_;
    const int32_t* capacity_;
    int32_t* demand_;
    int32_t pressure_ = 16;  // cost of one wire too many, in 16ths of the edge's cost
    std::vector<int32_t> history_, cost_;
    std::vector<int32_t> own_;  // paths of the net that is routed, by edge
    std::vector<Reached> reached_;
    uint32_t run_ = 0;
    int64_t work_ = 0;
    std::vector<Entry> heap_;
};

}  // namespace

extern "C" {

// Route connections; return the overflow in quarters of a track.
//   capacity, demand  of the edges: edge 2 c joins cell c = y width + x to the cell on its right,
//                     edge 2 c + 1 to the cell above it; edges that leave the grid have capacity 0.
//                     Demand comes with the wires within cells and leaves with all wires.
//   nets, start       number of nets; first connection of each net, and the end
//   ends              x, y, x, y of the cells of each connection; the two cells differ
//   rounds            most rounds of negotiation
//   most_work         no round starts after this many cells were visited
//   report            gets the number of rounds, the visited cells and the connections routed anew
int64_t route(int32_t width, int32_t height, const int32_t* capacity, int32_t* demand, int64_t nets,
              const int64_t* start, const int32_t* ends, int32_t rounds, int64_t most_work,
              int64_t* report) {
    Router router(width, height, capacity, demand);
    int64_t connections = start[nets];
    std::vector<Point> a(connections), b(connections);
    auto length = [&](int64_t i) { return std::abs(a[i].x - b[i].x) + std::abs(a[i].y - b[i].y); };
    std::vector<int64_t> order(nets), lengths(nets, 0);
    for (int64_t net = 0; net < nets; net++) {
        for (int64_t i = start[net]; i < start[net + 1]; i++) {
            a[i] = {ends[4 * i], ends[4 * i + 1]};
            b[i] = {ends[4 * i + 2], ends[4 * i + 3]};
            lengths[net] += length(i);
        }
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t i, int64_t j) { return lengths[i] < lengths[j]; });
    std::vector<std::vector<int32_t>> paths(connections);
    auto first = [&](int64_t net) { return paths.data() + start[net]; };
    for (int64_t net : order) {
        for (int64_t i = start[net]; i < start[net + 1]; i++) {
            router.route_pattern(a[i], b[i], paths[i]);
            router.add(paths[i]);
        }
        router.leave(first(net), first(net + 1));
    }
    size_t edges = size_t(2) * width * height;
    std::vector<int32_t> best(demand, demand + edges);
    int64_t least = router.overflow(), anew = 0;
    int64_t mark = least;  // overflow at the last round that gained much
    int32_t round = 0, marked = 0;
    auto is_full = [&](const std::vector<int32_t>& path) {
        return std::any_of(path.begin(), path.end(), [&](int32_t e) { return router.is_full(e); });
    };
    // Long nets first: they have more other ways.
    std::reverse(order.begin(), order.end());
    while (round < rounds && least > 0 && router.work() < most_work) {
        router.remember();
        router.set_pressure(std::min(16 + 8 * round, 400));
        int32_t margin = std::min(4 + 2 * round, 40);
        for (int64_t net : order) {
            if (std::none_of(first(net), first(net + 1), is_full)) continue;
            router.enter(first(net), first(net + 1));
            for (int64_t i = start[net]; i < start[net + 1]; i++) {
                auto& path = paths[i];
                if (!is_full(path)) continue;
                router.remove(path);
                router.route_pattern(a[i], b[i], path);
                if (!router.fits(path)) router.route_maze(a[i], b[i], margin, path);
                router.add(path);
                anew++;
            }
            router.leave(first(net), first(net + 1));
        }
        round++;
        int64_t overflow = router.overflow();
        if (overflow < least) {
            least = overflow;
            std::copy(demand, demand + edges, best.begin());
        }
        if (10 * least < 9 * mark) {
            mark = least;
            marked = round;
        }
        bool is_hopeless = round >= HOPELESS_ROUND && least > router.capacity() / HOPELESS_SHARE;
        if (is_hopeless || round - marked >= PATIENCE) break;
    }
    std::copy(best.begin(), best.end(), demand);
    report[0] = round;
    report[1] = router.work();
    report[2] = anew;
    return least;
}
}
