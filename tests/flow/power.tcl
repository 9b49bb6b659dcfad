read_liberty {liberty}
read_verilog {verilog}
link_design top
create_clock -name clk -period {period} [get_ports clk]
set file [open slews.txt w]
foreach pin [get_pins */*] {{
  puts $file [list [get_property $pin full_name] \
    [get_property $pin actual_rise_transition_max] [get_property $pin actual_fall_transition_max]]
}}
close $file
# Gates fed by input ports only have no clock else, and OpenSTA leaves out the period.
set_input_delay 0 -clock clk [all_inputs]
set_power_activity -global -activity {activity}
report_power -digits 9 > total.txt
report_power -instances [get_cells *] -digits 9 > instances.txt
