# Reads a finished layout: are its places legal, what is its timing, do its wires have room?
#
# Variables, besides those of setup.tcl: placed (DEF file), spef (its wires), lowest, highest, kept.

read_def $placed
constrain
set has_tree 1
check_placement -verbose

set_propagated_clock [get_clocks clk]
read_spef $spef
set_clock_latency [mean_latency] [get_clocks ports]
figure spef_latency_ns [mean_latency]
figure spef_slack_ns [worst_slack -max]
figure spef_hold_ns [worst_slack -min]
report_checks -path_delay max -format full_clock_expanded -digits 4

time_places
figure estimated_latency_ns [mean_latency]
figure estimated_slack_ns [worst_slack -max]
figure estimated_hold_ns [worst_slack -min]
report_checks -path_delay max -format full_clock_expanded -digits 4

set_routing_layers -signal $lowest-$highest -clock $lowest-$highest
set_global_routing_layer_adjustment $lowest-$highest $kept
global_route -allow_congestion -verbose
