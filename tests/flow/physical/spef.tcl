read_liberty {liberty}
read_verilog ten.v
link_design ten
set_cmd_units -time ns -capacitance fF -resistance ohm
read_spef ten.spef
foreach net [get_nets *] {{
  set name [get_property $net full_name]
  puts "NET $name"
  report_net -connections -verbose -digits 6 $name
}}
puts "PATHS"
create_clock -name clock -period 1
set_input_delay 0 -clock clock [all_inputs]
set_output_delay 0 -clock clock [all_outputs]
report_checks -digits 7
exit
