# Repair: loads and slews above the limits, then paths that are too slow, with an ideal clock; legal
# places; cells moved and flipped for shorter wires.
#
# Variables: seed.

constrain
time_places
repair_design
time_places
repair_timing -setup -repair_tns 100 {*}[known_options repair_timing {-skip_pin_swap}]
detailed_placement
improve_placement -random_seed $seed
# A few cells may have lost their sites. Legal places undo what mirroring gains, so it comes last.
detailed_placement
optimize_mirroring
check_placement -verbose
