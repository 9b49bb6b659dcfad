// Functions for Python (wires.py): Steiner trees and SPEF of all nets.

#include "wires.h"

#include <cmath>
#include <cstdio>
#include <string>

using namespace physical;

namespace {

// Trees of all nets: nodes node_start[net] .. node_start[net + 1] - 1, numbers within the net.
struct Trees {
    int64_t nets;
    const int64_t* net_start;
    const int64_t* node_start;
    const int32_t *x, *y, *parent, *order;
};

NetWires wires_of(const Trees& t, const WireModel& model, const uint8_t* is_clock, int64_t net) {
    int64_t at = t.node_start[net];
    return {model,          is_clock[net] != 0,
            int(t.net_start[net + 1] - t.net_start[net]), int(t.node_start[net + 1] - at),
            t.x + at,       t.y + at,
            t.parent + at,  t.order + at};
}

// Writes text to a file through a buffer.
class Writer {
  public:
    explicit Writer(const char* path) : file_(std::fopen(path, "wb")) { text_.reserve(LIMIT * 2); }
    ~Writer() {
        if (file_) std::fclose(file_);
    }

    Writer& operator<<(const char* text) {
        text_ += text;
        return *this;
    }
    Writer& operator<<(int64_t number) {
        char digits[24];
        char* at = digits + sizeof digits;
        bool negative = number < 0;
        uint64_t rest = negative ? -uint64_t(number) : uint64_t(number);
        do *--at = char('0' + rest % 10);
        while (rest /= 10);
        if (negative) *--at = '-';
        text_.append(at, digits + sizeof digits - at);
        return *this;
    }
    // A number from 0 on, with at most six decimals.
    Writer& operator<<(double number) {
        int64_t millionths = std::llround(number * 1e6);
        *this << millionths / 1000000;
        int64_t rest = millionths % 1000000;
        if (!rest) return *this;
        char digits[] = ".000000";
        for (char* at = digits + 6; rest; rest /= 10) *at-- = char('0' + rest % 10);
        size_t count = 7;
        while (digits[count - 1] == '0') count--;
        text_.append(digits, count);
        return *this;
    }
    void flush_if_full() {
        if (text_.size() > LIMIT) flush();
    }
    // Whether everything was written.
    bool finish() {
        flush();
        if (file_ && std::fclose(file_)) is_good_ = false;
        bool done = file_ && is_good_;
        file_ = nullptr;
        return done;
    }

  private:
    static constexpr size_t LIMIT = 1 << 20;

    void flush() {
        if (file_ && std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size())
            is_good_ = false;
        text_.clear();
    }

    std::FILE* file_;
    bool is_good_ = true;
    std::string text_;
};

}  // namespace

extern "C" {

// Build the trees of all nets. node_x .. node_order have room for 2 nodes per pin; node_start gets
// the first node of each net. A net without pins has no nodes.
void build_trees(int64_t nets, const int64_t* net_start, const int32_t* net_pins, const int32_t* px,
                 const int32_t* py, double alpha, int64_t* node_start, int32_t* node_x,
                 int32_t* node_y, int32_t* node_parent, int32_t* node_order) {
    SteinerBuilder builder(alpha);
    Tree tree;
    std::vector<int32_t> x, y;
    int64_t at = 0;
    for (int64_t net = 0; net < nets; net++) {
        node_start[net] = at;
        int n = int(net_start[net + 1] - net_start[net]);
        if (!n) continue;
        x.resize(n);
        y.resize(n);
        for (int i = 0; i < n; i++) {
            int32_t pin = net_pins[net_start[net] + i];
            x[i] = px[pin];
            y[i] = py[pin];
        }
        builder.build(n, x.data(), y.data(), tree);
        std::copy(tree.x.begin(), tree.x.end(), node_x + at);
        std::copy(tree.y.begin(), tree.y.end(), node_y + at);
        std::copy(tree.parent.begin(), tree.parent.end(), node_parent + at);
        std::copy(tree.order.begin(), tree.order.end(), node_order + at);
        at += tree.size();
    }
    node_start[nets] = at;
}

// Write a SPEF file; return whether that was possible.
//   header, names   text before the nets: the head of the file and its name map, which gives net i
//                   the number i + 1 and instance i (ports included) the number nets + i + 1
//   pin_instance    instance of each pin
//   pin_name        number of each pin's name in pin_names, text that ends in a 0 byte each; -1:
//                   the instance is a port
//   pin_is_output   whether the pin drives its net
// Nets with one pin or none are left out.
int32_t write_spef(const char* path, const char* head, int64_t nets, const int64_t* net_start,
                   const int32_t* net_pins, const int64_t* node_start, const int32_t* x,
                   const int32_t* y, const int32_t* parent, const int32_t* order,
                   const double* model, const uint8_t* is_clock, const int32_t* pin_instance,
                   const int32_t* pin_name, const uint8_t* pin_is_output, const char* pin_names) {
    Trees trees{nets, net_start, node_start, x, y, parent, order};
    const auto& wire_model = *reinterpret_cast<const WireModel*>(model);
    std::vector<const char*> name_of;
    for (const char* name = pin_names; *name; name += std::char_traits<char>::length(name) + 1)
        name_of.push_back(name);
    Writer out(path);
    out << head;
    std::vector<double> ff;
    for (int64_t net = 0; net < nets; net++) {
        const int32_t* pins = net_pins + net_start[net];
        int count = int(net_start[net + 1] - net_start[net]);
        if (count < 2) continue;
        NetWires wires = wires_of(trees, wire_model, is_clock, net);
        auto put_pin = [&](int32_t pin) {
            out << "*" << nets + pin_instance[pin] + 1;
            if (pin_name[pin] >= 0) out << ":" << name_of[pin_name[pin]];
        };
        auto put_node = [&](int node) {
            if (node < count) put_pin(pins[node]);
            else out << "*" << net + 1 << ":" << int64_t(node - count + 1);
        };
        out << "*D_NET *" << net + 1 << " " << wires.capacitance_ff() << "\n*CONN\n";
        for (int i = 0; i < count; i++) {
            bool is_port = pin_name[pins[i]] < 0, is_output = pin_is_output[pins[i]];
            out << (is_port ? "*P " : "*I ");
            put_pin(pins[i]);
            out << (is_output != is_port ? " O\n" : " I\n");  // a port that drives is an input
        }
        out << "*CAP\n";
        wires.node_capacitances(ff);
        for (int node = 0; node < int(ff.size()); node++) {
            out << int64_t(node + 1) << " ";
            put_node(node);
            out << " " << ff[node] << "\n";
        }
        out << "*RES\n";
        for (int node = 1; node < int(ff.size()); node++) {
            out << int64_t(node) << " ";
            put_node(wires.parent(node));
            out << " ";
            put_node(node);
            out << " " << wires.resistance_ohm(node) << "\n";
        }
        out << "*END\n";
        out.flush_if_full();
    }
    return out.finish();
}
}
