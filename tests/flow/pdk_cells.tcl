set folder [file dirname [file normalize [info script]]]
set ::env(SYNTH_DRIVING_CELL) "buf_4/X"
set ::env(OUTPUT_CAP_LOAD) "33.442"
set ::env(SYNTH_TIEHI_PORT) "conb HI"
set ::env(SYNTH_TIELO_PORT) "conb LO"
set ::env(FILL_CELLS) "fill_2 fill_1"
set ::env(TIME_DERATING_CONSTRAINT) 5
set ::env(CLOCK_UNCERTAINTY_CONSTRAINT) 0.25
set ::env(WELLTAP_CELL) tap
set ::env(FP_TAPCELL_DIST) 13
