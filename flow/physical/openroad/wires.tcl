# Wires: estimates from the final places, and a global route that tells whether they have room.
#
# Variables: lowest and highest (routing layers), kept (share of tracks for power and pins).

constrain
set has_tree 1
check_placement -verbose
time_places
figure worst_slack_ns [worst_slack -max]
figure worst_hold_ns [worst_slack -min]
set_routing_layers -signal $lowest-$highest -clock $lowest-$highest
set_global_routing_layer_adjustment $lowest-$highest $kept
global_route -allow_congestion -verbose
