# Beginning of every step: library, checkpoint of the step before, wires, constraints, procedures.
#
# The flow sets these variables before: lefs and liberty (files of the library), before (checkpoint,
# or "" at the first step), constraints (SDC file), ff_per_um, ohm_per_um, clock_ff_per_um and
# clock_ohm_per_um (wires), unusable (patterns of cells that repair must not choose), most_sinks (of
# a net that is no clock), clock_gates (cells and their clock pins), and those that the step's own
# script names.

if {$before eq ""} {
  foreach file $lefs { read_lef $file }
} else {
  read_db $before
}
read_liberty $liberty
set_cmd_units -time ns -capacitance fF -resistance ohm -distance um

# Warnings about ports that have no place yet.
suppress_message GPL 1

# Whether the netlist has a clock tree, and whether it has constraints.
set has_tree 0
set constrained 0

# Constraints and wires are no part of a checkpoint: each step calls this procedure.
proc constrain {} {
  global constrained constraints ff_per_um clock_ff_per_um clock_ohm_per_um unusable most_sinks
  if {$constrained} { return }
  set constrained 1
  read_sdc $constraints
  set_signal_wires $ff_per_um
  set_wire_rc -clock -resistance $clock_ohm_per_um -capacitance $clock_ff_per_um
  set_max_fanout $most_sinks [current_design]
  foreach pattern $unusable {
    set cells [get_lib_cells -quiet */$pattern]
    if {[llength $cells]} { set_dont_use $cells }
  }
}

# Sets the wires of signals that estimates take, to a capacitance in fF per um.
proc set_signal_wires {ff} {
  global ohm_per_um
  set_wire_rc -signal -resistance $ohm_per_um -capacitance $ff
}

# Writes a line to the log; the flow reads lines that begin with this word.
proc figure {name value} { puts "figure $name $value" }

# Options that this version of a command has, out of a list of options without values.
proc known_options {command options} {
  set found {}
  foreach option $options {
    if {[string first $option $::sta::cmd_args($command)] >= 0} { lappend found $option }
  }
  return $found
}

# Latency of the clock at a pin, in ns.
proc latency {pin} {
  set arrivals [[lindex [$pin vertices] 0] arrivals_clk rise [get_clocks clk] rise]
  return [expr {1e9 * [lindex $arrivals end]}]
}

# Mean latency of the clock at all flip-flops, in ns.
proc mean_latency {} {
  set pins [all_registers -clock_pins]
  set sum 0.0
  foreach pin $pins { set sum [expr {$sum + [latency $pin]}] }
  return [expr {[llength $pins] ? $sum / [llength $pins] : 0.0}]
}

# Writes the latency of each clock pin of flip-flops and clock gates.
proc write_latencies {path} {
  global clock_gates
  set pins [all_registers -clock_pins]
  foreach cell [get_cells *] {
    set kind [get_property $cell ref_name]
    if {![dict exists $clock_gates $kind]} { continue }
    foreach pin [get_pins -of_objects $cell] {
      if {[get_property $pin lib_pin_name] eq [dict get $clock_gates $kind]} { lappend pins $pin }
    }
  }
  set file [open $path w]
  foreach pin $pins { puts $file [list [get_property $pin full_name] [latency $pin]] }
  close $file
}

# Estimates wires from the places of the cells. Once there is a clock tree, the clock has its
# latencies, and the registers outside, to which the ports belong, have the mean latency.
proc time_places {} {
  global has_tree
  estimate_parasitics -placement
  if {$has_tree} {
    set_propagated_clock [get_clocks clk]
    set_clock_latency [mean_latency] [get_clocks ports]
  }
}

# Nets whose load, or the slew at one of whose pins, is above the limit; and nets with too many sinks,
# without those of the clock, whose sinks the tree divides.
proc nets_above_limits {} {
  set pins [pins_above_limits {-max_slew -max_capacitance}]
  foreach pin [pins_above_limits -max_fanout] {
    if {![llength [get_property $pin clocks]]} { lappend pins $pin }
  }
  set nets [dict create]
  foreach pin $pins { dict set nets [get_property [get_nets -of_objects $pin] full_name] 1 }
  return [dict keys $nets]
}

# Pins that the checks find above their limits.
proc pins_above_limits {checks} {
  # with_output_to_variable runs the command outside of this procedure and hides its errors: the
  # command must not name a variable of this one.
  with_output_to_variable report "report_check_types $checks -violators -no_line_splits"
  set pins {}
  foreach line [split $report \n] {
    if {![string match *VIOLATED* $line]} { continue }
    lappend pins {*}[get_pins -quiet [lindex [regexp -inline {\S+} $line] 0]]
  }
  return $pins
}

# OpenROAD's repair_design would also resize every other driver for equal slews, which takes a
# third more area in some designs. Estimates have a quarter more capacitance here, because routes take
# detours and have neighbours.
proc repair_limits {} {
  global ff_per_um
  set_signal_wires [expr {1.25 * $ff_per_um}]
  foreach round {1 2 3} {
    time_places
    set nets [nets_above_limits]
    figure nets_above_limits [llength $nets]
    foreach net $nets { rsz::repair_net_cmd [get_nets $net] 0 0 0 }
    if {![llength $nets]} { break }
  }
  set_signal_wires $ff_per_um
  time_places
}

# Moves cells to legal places, then to others that make wires shorter.
proc shorten_wires {} {
  global seed
  detailed_placement
  improve_placement -random_seed $seed
  # A few cells may have lost their sites. Legal places undo what mirroring gains: it comes last.
  detailed_placement
  optimize_mirroring
}

# Path of the module to which a cell belongs; "" for the top module.
proc module_of {cell} {
  set name [$cell getName]
  return [string range $name 0 [expr {[string last . $name] - 1}]]
}

# Gives inserted cells to the modules of the cells that drive them: rebuffer7 becomes core.rebuffer7.
# The names of clock buffers contain names of nets, whose dots would look like modules.
proc name_inserted {} {
  foreach cell [[ord::get_db_block] getInsts] {
    set name [$cell getName]
    set is_named [expr {[string first . $name] >= 0 && ![string match clkbuf_* $name]}]
    if {$is_named || [$cell getSourceType] ne "TIMING"} { continue }
    set local [string map {. _} $name]
    set module [driving_module $cell 0]
    set full [expr {$module eq "" ? $local : "$module.$local"}]
    if {$full ne $name} { $cell rename $full }
  }
}

# Module of the cell before an inserted cell, through other inserted cells.
proc driving_module {cell depth} {
  foreach pin [$cell getITerms] {
    if {![$pin isInputSignal] || [$pin getNet] eq "NULL"} { continue }
    set driver [[$pin getNet] getFirstOutput]
    if {$driver eq "NULL"} { return "" }
    set before [$driver getInst]
    if {[$before getSourceType] ne "TIMING"} { return [module_of $before] }
    return [expr {$depth > 100 ? "" : [driving_module $before [expr {$depth + 1}]]}]
  }
  return ""
}
