# Repair: loads and slews above the limits, then paths that are too slow, with an ideal clock; legal
# places; cells moved and flipped for shorter wires.
#
# Variables: seed.

constrain
repair_limits
repair_timing -setup -repair_tns 100 {*}[known_options repair_timing -skip_pin_swap]
shorten_wires
check_placement -verbose
