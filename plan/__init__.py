"""Plans: the programs that are executed for a request, as plain Python data.

The package has steps, programs, schedules, domains, constants of the modulus, parameters, and plans
of compressor trees. FL executes a plan, CL adds up its timing, RTL sequences it.
"""
