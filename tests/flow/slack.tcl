read_liberty {liberty}
read_verilog {netlist}
link_design {top}
create_clock -name clk -period {period} [get_ports clk]
set_driving_cell -lib_cell {cell} [all_inputs]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_load -pin_load {load} [all_outputs]
puts "slack [worst_slack]"
exit
