"""Points that take long and are left to ``make test-all``, because others show much of the same.

A line is a test, as pytest names it, with ``*`` for any text; one that names no test is an error
where all tests are collected. Marks in the files say the rest; this list is what `make test` gained
most by, with the seconds that each takes of a worker.
"""

POINTS = """
# The engines in Python, a cycle of which takes milliseconds: compiled, all of this runs.
tests/test_grid.py::test_stalls_and_overlap[crt_window*-pymtl]
tests/test_grid.py::test_stalls_and_overlap[orup_window-*-pymtl]
tests/test_grid.py::test_reset_in_flight[crt_window*-rtl-pymtl]
tests/test_grid.py::test_reset_in_flight[orup_window-rtl-pymtl]
tests/test_grid.py::test_results_and_cycles[digit_serial_r2l-rtl-pymtl-8-*]
tests/eval/test_sim_command.py::test_vectors_of_a_design[orup_window-rtl-pymtl]
tests/eval/test_sim_command.py::test_cycles_are_those_of_the_cycle_model_on_every_engine[orup_window]
tests/eval/test_sim_command.py::test_cycles_are_those_of_the_cycle_model_on_every_engine[cm_pm_r2l]
tests/eval/test_sim_command.py::test_cycles_are_those_of_the_cycle_model_on_every_engine[digit_serial_r2l]
tests/rtl/test_strobe.py::test_every_design[orup_window-pymtl]
tests/rtl/test_mont_orup.py::test_chain_of_products[24-16-rows3]
tests/rtl/test_mont_orup.py::test_chain_of_products[24-16-rows4]
tests/rtl/test_mont_orup.py::test_chain_of_products[24-16-rows5]
tests/rtl/test_mont_orup.py::test_chain_of_products[24-16-rows7]
tests/rtl/test_mont_orup.py::test_chain_of_products[24-16-rows8]
tests/rtl/test_mont_orup.py::test_chain_of_products[13-6-rows*]
tests/rtl/test_mont_orup.py::test_chain_of_products[9-10-rows5]
tests/rtl/test_mont_orup.py::test_chain_of_products[9-10-rows6]
tests/rtl/test_mont_orup.py::test_chain_of_products[9-10-rows7]
tests/rtl/test_mont_orup.py::test_chain_of_products[8-4-rows7]
tests/rtl/test_mont_orup.py::test_chain_of_products[8-4-rows8]
# Widths between others.
tests/test_grid.py::test_results_and_cycles[*-rtl-native-128-*]
tests/test_grid.py::test_full_size_exponent[orup_window-1024]
tests/xcel/test_operands.py::test_wide_operands[4096-rtl-native]
tests/xcel/test_operands.py::test_wide_operands[2079-rtl-native]
tests/xcel/test_operands.py::test_every_width[rtl-native-127-*]
tests/xcel/test_operands.py::test_every_width[rtl-*-64-*]
tests/axi/test_registers.py::test_random_accesses[mulrem_r2l-90-4]
tests/axi/test_registers.py::test_random_accesses[mulrem_r2l-128-2]
tests/axi/test_registers.py::test_random_accesses[mulrem_r2l-128-1]
tests/axi/test_registers.py::test_random_accesses[mulrem_r2l-33-4]
tests/rtl/test_digit_serial.py::test_products_and_cycles[80-16-*]
tests/rtl/test_montgomery.py::test_products_back_to_back[64-8-*]
tests/rtl/test_wide_bits.py::test_yosys_reads_the_same_design[2050]
tests/rtl/test_compressor_circuits.py::test_thousand_wide_products[64-]
tests/rtl/test_compressor_circuits.py::test_thousand_operands_of_the_tables[square]
tests/rtl/test_systolic.py::test_operands_at_their_limits[pymtl-16-4-*]
tests/rtl/test_systolic.py::test_operands_at_their_limits[native-64-31-*]
tests/proc/test_programs.py::test_driver_on_the_shared_tables[*-33]
tests/proc/test_programs.py::test_driver_on_the_shared_tables[*-64]
tests/proc/test_programs.py::test_driver_on_the_shared_tables[*-256]
tests/test_wide_constants.py::test_constants_on_the_processor[16]
tests/test_wide_constants.py::test_constants_on_the_processor[64]
# Designs and parameters between others.
tests/test_exhaustive.py::test_every_product[mont_orup-8-digit_nbits=4-pipeline=quotient-corners]
tests/test_exhaustive.py::test_every_product[mont_orup-8-digit_nbits=4-pipeline=none-corners]
tests/test_exhaustive.py::test_every_product[mont_orup-8-digit_nbits=6-pipeline=none-corners]
tests/test_exhaustive.py::test_every_product[digit_serial-7-digit_nbits=8-all]
tests/test_exhaustive.py::test_every_product[digit_serial-8-digit_nbits=9-corners]
tests/test_exhaustive.py::test_every_product[systolic-7-*]
tests/test_exhaustive.py::test_every_product[ssmm-8-bits_per_cycle=2-all]
tests/test_exhaustive.py::test_every_product[mont_mul_csa-8-resolve_cycles=2-all]
tests/test_exhaustive.py::test_every_product[mont_mul-8-bits_per_cycle=2-all]
tests/test_exhaustive.py::test_every_product[mul_rem-8-bits_per_cycle=2-*]
tests/test_side_channels.py::test_circuits_keep_time[digit_serial-fixed_window-1]
tests/test_side_channels.py::test_circuits_keep_time[mont_mul_csa-*]
tests/test_compositions.py::test_wider[mul_rem-r2l-2-32]
tests/test_compositions.py::test_wider[digit_serial-fixed_window-1-32]
tests/test_compositions.py::test_wider[mont_mul_rem-*]
tests/test_third_party_vectors.py::test_exponentiations[*-mont_r2l]
tests/test_third_party_vectors.py::test_exponentiations_of_any_length[*-systolic_l2r_always-1024]
tests/test_third_party_vectors.py::test_exponentiations_of_any_length[*-montmul_r2l-1024]
tests/test_third_party_vectors.py::test_products[mont_mul_rem]
tests/test_third_party_vectors.py::test_rsa_decryptions_and_signatures[montmul_r2l-1024]
tests/test_nist_signatures.py::test_signatures[systolic_l2r_always-1024-15]
tests/test_nist_signatures.py::test_signatures[digit_serial_r2l-1024-1]
tests/cl/test_document_cycles.py::test_average_over_random_keys[montred_r2l-2048-*]
tests/xcel/test_halves.py::test_every_level[crt_window_shared-*]
tests/xcel/test_resets.py::test_reset_in_each_cycle[mont_r2l_shared-many]
tests/xcel/test_resets.py::test_reset_in_each_cycle[mm_pm_r2l-many]
tests/proc/test_halves.py::test_on_the_circuit
tests/proc/test_host_constants.py::test_on_the_circuit[mm_pm_r2l-64]
tests/proc/test_host_constants.py::test_on_the_circuit[mm_r2l-64]
tests/proc/test_host_constants.py::test_on_the_circuit[digit_serial_r2l-64]
tests/proc/test_resets.py::test_reset_of_a_whole_system[proc_mont_r2l]
tests/fl/test_compressors.py::test_drawn_moduli
# What takes tools long, beside what takes them less.
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[systolic_l2r_always]
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[cm_r2l]
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[montred_r2l]
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[montmul_csa_r2l]
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[mm_r2l]
tests/flow/test_gates.py::test_netlist_and_rtl_agree_in_results_and_cycles[montmul_r2l]
tests/flow/test_systems.py::test_random_programs_with_all_that_they_leave_behind[1]
tests/flow/test_fpga.py::test_multiplier_blocks_of_the_systolic_row
tests/flow/test_fpga_modules.py::test_stages_of_the_digit_serial_lane
tests/flow/test_fpga_modules.py::test_known_circuit_on_xc7
tests/eval/test_parts.py::test_stages_of_the_pipeline
tests/eval/test_cli_fpga.py::test_command
tests/eval/test_cli_process.py::test_interrupt_is_quiet[fl]
tests/eval/test_report_page.py::test_the_same_results_give_the_same_files
tests/eval/test_report_studies.py::test_whatever_fails_the_other_tables_stay[cycles]
tests/eval/test_report_studies.py::test_whatever_fails_the_other_tables_stay[cyclonev]
tests/eval/test_report_studies.py::test_whatever_fails_the_other_tables_stay[xc]
tests/store/test_healing.py::test_gate_kernel[truncated]
"""
