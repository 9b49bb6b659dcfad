"""Plans: what is executed, in plain Python.

Steps, programs, schedules, domains, constants of the modulus, parameters, and plans of compressor
trees. The golden models execute a plan, the cycle models add up its timing, the circuits sequence
it.
"""
