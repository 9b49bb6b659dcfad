# Beginning of every step: library, checkpoint of the step before, wires, constraints, procedures.
#
# The flow sets these variables before: lefs and liberty (files of the library), before (checkpoint,
# or "" at the first step), constraints (SDC file), ff_per_um, ohm_per_um, clock_ff_per_um and
# clock_ohm_per_um (wires), unusable (patterns of cells that repair must not choose), clock_gates
# (cells that are no ends of the clock tree), and those that the step's own script names.

if {$before eq ""} {
  foreach file $lefs { read_lef $file }
} else {
  read_db $before
}
read_liberty $liberty
set_cmd_units -time ns -capacitance fF -resistance ohm -distance um

# Whether the netlist has a clock tree, and whether it has constraints.
set has_tree 0
set constrained 0

# Constraints and wires are no part of a checkpoint: each step calls this procedure.
proc constrain {} {
  global constrained constraints ff_per_um ohm_per_um clock_ff_per_um clock_ohm_per_um unusable
  if {$constrained} { return }
  set constrained 1
  read_sdc $constraints
  set_wire_rc -signal -resistance $ohm_per_um -capacitance $ff_per_um
  set_wire_rc -clock -resistance $clock_ohm_per_um -capacitance $clock_ff_per_um
  foreach pattern $unusable {
    set cells [get_lib_cells -quiet */$pattern]
    if {[llength $cells]} { set_dont_use $cells }
  }
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

# Mean latency of the clock at all flip-flops, in ns.
proc mean_latency {} {
  global clock_gates
  set clock [get_clocks clk]
  set sum 0.0
  set count 0
  foreach pin [all_registers -clock_pins] {
    set instance [get_cells -of_objects $pin]
    if {[get_property $instance ref_name] in $clock_gates} { continue }
    set arrival [lindex [[lindex [$pin vertices] 0] arrivals_clk rise $clock rise] end]
    set sum [expr {$sum + $arrival * 1e9}]
    incr count
  }
  return [expr {$count ? $sum / $count : 0.0}]
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
