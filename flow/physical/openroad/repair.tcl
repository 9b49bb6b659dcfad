# Repair: loads and slews above the limits, then paths that are too slow, with an ideal clock; legal
# places; cells moved and flipped for shorter wires.
#
# Variables: seed.

# Nets whose load, or the slew at one of whose pins, is above the limit.
proc nets_above_limits {} {
  with_output_to_variable report {
    report_check_types -max_slew -max_capacitance -violators -no_line_splits
  }
  set nets [dict create]
  foreach line [split $report \n] {
    if {![string match *VIOLATED* $line]} { continue }
    foreach pin [get_pins -quiet [lindex [regexp -inline {\S+} $line] 0]] {
      dict set nets [get_property [get_nets -of_objects $pin] full_name] 1
    }
  }
  return [dict keys $nets]
}

# OpenROAD's repair_design would also resize every other driver for equal slews, which takes a
# third more area in some designs.
proc repair_limits {} {
  foreach round {1 2 3} {
    time_places
    set nets [nets_above_limits]
    figure nets_above_limits [llength $nets]
    foreach net $nets { rsz::repair_net_cmd [get_nets $net] 0 0 0 }
    if {![llength $nets]} { break }
  }
}

constrain
repair_limits
repair_timing -setup -repair_tns 100 {*}[known_options repair_timing -skip_pin_swap]
shorten_wires
check_placement -verbose
