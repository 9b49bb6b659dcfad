# Route: global routes with room, fillers, detailed routes without violations, wires extracted.
#
# Variables: lowest and highest (routing layers), kept (share of tracks for power and pins),
# fillers (cells), extraction (rules of OpenRCX, or ""), seed.

constrain
set has_tree 1
check_placement -verbose
set_routing_layers -signal $lowest-$highest -clock $lowest-$highest
set_global_routing_layer_adjustment $lowest-$highest $kept
global_route -guide_file route.guide -congestion_iterations 100 -verbose
filler_placement $fillers
global_connect
check_placement -verbose
set_thread_count [expr {min(4, [exec getconf _NPROCESSORS_ONLN])}]
detailed_route -output_drc violations.txt -bottom_routing_layer $lowest \
  -top_routing_layer $highest -or_seed $seed -or_k 0 -verbose 1
figure violations [detailed_route_num_drvs]
if {$extraction ne ""} {
  define_process_corner -ext_model_index 0 typical
  extract_parasitics -ext_model_file $extraction
  write_spef routed.spef
}
