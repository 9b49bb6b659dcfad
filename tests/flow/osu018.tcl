read_liberty {liberty}
read_verilog {netlist}
link_design mulrem_r2l
create_clock -name clk -period {period} [get_ports clk]
set_driving_cell -lib_cell INVX2 [all_inputs]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_load -pin_load 0.037 [all_outputs]
puts "slack [worst_slack]"
set_power_activity -global -activity 0.1
report_power -digits 9
exit
