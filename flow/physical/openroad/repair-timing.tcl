# Repair of timing with the clock tree: setup at all failing endpoints, hold, legal places; again,
# because legal places make some paths slower.
#
# Variables: hold_margin_ns, most_rounds.

constrain
set has_tree 1
for {set round 1} {$round <= $most_rounds} {incr round} {
  time_places
  set setup_ns [worst_slack -max]
  set hold_ns [worst_slack -min]
  figure round "$round setup $setup_ns hold $hold_ns"
  if {$round > 1 && $setup_ns >= 0 && $hold_ns >= $hold_least_ns} { break }
  repair_timing -setup -repair_tns 100 {*}[known_options repair_timing {-skip_pin_swap}]
  repair_timing -hold -hold_margin $hold_margin_ns
  detailed_placement
  optimize_mirroring
}
check_placement -verbose
