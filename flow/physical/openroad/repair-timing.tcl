# Repair of timing with the clock tree: loads and slews above the limits, setup at all failing
# endpoints, hold, legal places; again, because legal places make some paths slower, until all are
# kept or setup no longer gains.
#
# Variables: hold_margin_ns, most_rounds.

constrain
set has_tree 1
set best_ns -1e9
for {set round 1} {$round <= $most_rounds} {incr round} {
  time_places
  set setup_ns [worst_slack -max]
  set hold_ns [worst_slack -min]
  set above [llength [nets_above_limits]]
  puts "round $round: setup $setup_ns ns, hold $hold_ns ns, $above nets above limits"
  set done [expr {$setup_ns >= 0 || $setup_ns < $best_ns + 0.001}]
  if {$round > 1 && !$above && $hold_ns >= 0 && $done} { break }
  if {$setup_ns > $best_ns} { set best_ns $setup_ns }
  repair_limits
  repair_timing -setup -repair_tns 100 {*}[known_options repair_timing -skip_pin_swap]
  # A circuit that is too slow is slow; one without hold times is wrong.
  set options [expr {$round > 1 ? "-allow_setup_violations" : ""}]
  repair_timing -hold -hold_margin $hold_margin_ns {*}$options
  detailed_placement
  optimize_mirroring
}
check_placement -verbose
