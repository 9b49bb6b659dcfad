# Route: global routes, fillers, detailed routes, violations of the layers' rules, wires extracted.
#
# Variables: lowest and highest (routing layers), kept (share of tracks for power and pins),
# fillers (cells), rules (file of OpenRCX, or "": only lengths are written), seed, most_threads.

constrain
set has_tree 1
check_placement -verbose
set_routing_layers -signal $lowest-$highest -clock $lowest-$highest
set_global_routing_layer_adjustment $lowest-$highest $kept
global_route -guide_file route.guide -congestion_iterations 100 -verbose
filler_placement $fillers
global_connect
check_placement -verbose
set_thread_count $most_threads
detailed_route -output_drc violations.txt -bottom_routing_layer $lowest \
  -top_routing_layer $highest -verbose 1
figure violations [detailed_route_num_drvs]

# Name and length of each net's wires, in database units.
set file [open lengths.txt w]
foreach net [[ord::get_db_block] getNets] {
  set wire [$net getWire]
  if {$wire ne "NULL"} { puts $file "[$net getName] [$wire getLength]" }
}
close $file

if {$rules ne ""} {
  define_process_corner -ext_model_index 0 typical
  extract_parasitics -ext_model_file $rules
  write_spef routed.spef
  read_spef routed.spef
  set_propagated_clock [get_clocks clk]
  set_clock_latency [mean_latency] [get_clocks ports]
  figure worst_slack_ns [worst_slack -max]
  figure worst_hold_ns [worst_slack -min]
  write_latencies latencies.txt
}
