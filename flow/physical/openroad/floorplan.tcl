# Floorplan: netlist without the buffers of synthesis, rows, tracks, well taps and power straps.
#
# Variables: netlist (Verilog), top, floorplan (DEF file), supplies (names of the power nets and
# their uses), taps (names of the well taps and their cells).

read_verilog $netlist
link_design $top

# A floorplan gives places only to what is there.
foreach {net use} $supplies {
  add_global_connection -net $net -inst_pattern .* -pin_pattern ^${net}$ -$use
}
foreach {name cell} $taps {
  odb::dbInst_create [ord::get_db_block] [[ord::get_db] findMaster $cell] $name
}
read_def -floorplan_initialize $floorplan
global_connect

set count [llength [[ord::get_db_block] getInsts]]
remove_buffers
figure removed [expr {$count - [llength [[ord::get_db_block] getInsts]]}]
