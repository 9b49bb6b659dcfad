# Place: cells by wire length, ports near their cells, and cells again, with nets weighted by slack.
#
# Variables: across and up (layers of ports at the left and right, and at the upper and lower side),
# without_ports (options: places without ports), spare_density, routable (1: cells are spread where
# wires have no room).

constrain
# The least density at which the cells fill the core evenly, and some more.
set density [expr {min(1.0, [gpl::get_global_placement_uniform_density] + $spare_density)}]
figure density $density
global_placement -skip_io -density $density
place_pins -hor_layers $across -ver_layers $up {*}$without_ports
set options [expr {$routable ? "-routability_driven" : ""}]
global_placement -timing_driven {*}$options -density $density
