# Clock tree: buffers between the clock's port, clock gates and flip-flops; legal places, shorter
# wires.
#
# Variables: clock_buffers (cells, the root's first), sinks_per_leaf, leaf_um, seed.

constrain
set has_tree 1
clock_tree_synthesis -root_buf [lindex $clock_buffers 0] -buf_list [join $clock_buffers] \
  -sink_clustering_enable -sink_clustering_size $sinks_per_leaf \
  -sink_clustering_max_diameter $leaf_um {*}[known_options clock_tree_synthesis -balance_levels]
time_places
repair_clock_nets
shorten_wires
time_places
report_clock_skew
check_placement -verbose
