# Reports the slack at every end of a path, after the script that sets up the analysis, whose end
# must not end this one. The variables analysis and ends come before it.
rename exit leave
proc exit {args} {}
source $analysis
report_checks -path_delay max -format end -group_count 10000000 -digits 5 > $ends
puts "ends written"
leave
