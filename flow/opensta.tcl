# Writes the critical path of a netlist to the file $paths. Unless these file names are empty, also
# writes the slews of all pins to $slews, and the slack at every endpoint to $ends. opensta.py sets
# the variables liberty, netlist, top, clock_ns, driving_cell, port_load_ff, paths, slews and ends.
#
# Unless $spef is empty, the netlist is placed: it has wires with resistances and capacitances, and
# a clock tree with delays. Then $placed gets the worst hold slack, $sdf the delays of the wires.
read_liberty $liberty
read_verilog $netlist
link_design $top
# Units of the reports, whatever the library's units are.
set_cmd_units -time ns -capacitance fF
create_clock -name clk -period $clock_ns [get_ports clk]
set inputs {}
foreach port [all_inputs] {
  if {[get_property $port full_name] ne "clk"} { lappend inputs $port }
}
# Ports are assumed to connect to registers outside, which launch and capture at the clock edge.
set outside clk
if {$spef ne ""} {
  read_spef $spef
  set_propagated_clock [get_clocks clk]
  # The registers outside have the mean latency of the clock tree. With an ideal clock, every input
  # would have a hold violation as long as the clock tree.
  set outside ports
  create_clock -name ports -period $clock_ns
  set_clock_latency $latency_ns [get_clocks ports]
  set_clock_uncertainty $uncertainty_ns [all_clocks]
  set_timing_derate -late [expr {1 + $derate}]
  set_timing_derate -early [expr {1 - $derate}]
}
set_input_delay 0 -clock $outside $inputs
set_output_delay 0 -clock $outside [all_outputs]
set_driving_cell -lib_cell $driving_cell $inputs
set_load -pin_load $port_load_ff [all_outputs]
# The net of an asynchronous reset gets its buffers with the places, as the clock's net does.
if {$spef eq ""} {
  set resets [all_registers -async_pins]
  if {[llength $resets] > 0} { set_false_path -from $inputs -to $resets }
}

if {$slews ne ""} {
  set file [open $slews w]
  foreach pin [get_pins */*] {
    puts $file [list [get_property $pin full_name] \
      [get_property $pin actual_rise_transition_max] \
      [get_property $pin actual_fall_transition_max]]
  }
  close $file
}

set file [open $paths w]
foreach path [find_timing_paths -path_delay max -sort_by_slack] {
  puts $file "slack [get_property $path slack]"
  puts $file "start [get_property [get_property $path startpoint] full_name]"
  puts $file "end [get_property [get_property $path endpoint] full_name]"
  foreach point [get_property $path points] {
    puts $file "point [get_property [get_property $point pin] full_name]\
      [get_property $point arrival]"
  }
}
close $file
if {$ends ne ""} {
  report_checks -path_delay max -format end -group_count 10000000 -digits 5 > $ends
}
report_checks -path_delay max -sort_by_slack -digits 4 -fields {slew cap fanout}
if {$spef ne ""} {
  set file [open $placed w]
  foreach path [find_timing_paths -path_delay min -sort_by_slack] {
    puts $file "hold_slack [get_property $path slack]"
    puts $file "hold_end [get_property [get_property $path endpoint] full_name]"
  }
  close $file
  report_clock_skew -clock [get_clocks clk] -digits 5
  report_check_types -all_violators -max_transition -no_line_splits -digits 4
  write_sdf -divider / -digits 4 -no_timestamp $sdf
}
puts "timing written"
exit
