# Writes the critical path of a netlist to the file $paths. Unless these file names are empty, also
# writes the slews of all pins to $slews, and the slack at every endpoint to $ends. opensta.py sets
# the variables liberty, netlist, top, clock_ns, driving_cell, port_load_ff, paths, slews and ends.
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
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
set_driving_cell -lib_cell $driving_cell $inputs
set_load -pin_load $port_load_ff [all_outputs]

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
foreach path [find_timing_paths -path_delay max] {
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
report_checks -path_delay max -digits 4 -fields {slew cap fanout}
puts "timing written"
exit
