if { ![info exist ::env(STD_CELL_LIBRARY)] } { set ::env(STD_CELL_LIBRARY) sc }
set base "$::env(PDK_ROOT)/$::env(PDK)/libs.ref/$::env(STD_CELL_LIBRARY)"
set ::env(LIB) [dict create]
dict set ::env(LIB) "*_tt_025C" "$base/lib/tt.lib"
dict set ::env(LIB) "*_ss_100C_1v60" "$base/lib/ss.lib"
dict set ::env(LIB) "*_ff_n40C_1v95" "$base/lib/ff.lib $::env(PDK_ROOT)/$::env(PDK)/pads.lib"
set ::env(STA_CORNERS) "nom_ff_n40C_1v95 max_ss_100C_1v60 nom_ss_100C_1v60 nom_tt_025C"
set ::env(DEFAULT_CORNER) nom_tt_025C
set ::env(TECH_LEFS) [dict create "nom_*" [glob "$base/lef/*.tlef"]]
set ::env(CELL_LEFS) [glob "$base/lef/*.lef"]
dict set ::env(LAYERS_RC) "*" met1 res 2.5e-3
dict set ::env(LAYERS_RC) "*" met1 cap 1.7e-4
set ::env(FP_TRACKS_INFO) "$base/tracks.info"
set ::env(SYNTH_EXCLUDED_CELL_FILE) "$base/no.cells"
