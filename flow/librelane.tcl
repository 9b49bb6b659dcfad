# Reads LibreLane's settings of a PDK, which are somebody else's Tcl, in a safe interpreter, and
# prints all variables, a line for each value: variable, keys of dictionaries, value, all in base64.
# pdk.py sets files, variables (a list of names and values), root, levels (of the dictionaries),
# most (commands) and seconds.
set child [interp create -safe]
interp limit $child commands -value $most
interp limit $child time -seconds [expr {[clock seconds] + $seconds}]

# A path that the settings may see: one below the root, without links out of it.
proc inside {path} {
  global root
  set full [file normalize [file join $root $path]]
  if {$full ne $root && [string first "$root/" "$full/"] != 0} { error "$path lies outside of the PDK" }
  return $full
}
proc found {args} {
  set names {}
  foreach pattern [lsearch -all -inline -not $args -*] { lappend names [inside $pattern] }
  return [glob -nocomplain -- {*}$names]
}
proc about {what args} {
  switch -- $what {
    dirname - tail - rootname - extension - join - split { return [file $what {*}$args] }
    normalize { return [inside [lindex $args 0]] }
    exists - isfile - isdirectory - readable { return [file $what [inside [lindex $args 0]]] }
    default { error "file $what is not allowed in settings" }
  }
}
proc told {child script what args} {
  if {$what eq "script"} { return $script }
  return [$child invokehidden info $what {*}$args]
}
# Runs a file in the child; while it runs, `info script` names it.
proc run {child script} {
  set stream [open [inside $script]]
  set text [read $stream]
  close $stream
  set before [interp alias $child info]
  interp alias $child info {} told $child $script
  $child eval $text
  interp alias $child info {} {*}$before
}
proc print {args} {
  set row {}
  foreach word $args { lappend row [binary encode base64 [encoding convertto utf-8 $word]] }
  puts [join $row "\t"]
}
proc walk {depth value keys} {
  if {!$depth} { print {*}$keys $value; return }
  dict for {key inner} $value { walk [expr {$depth - 1}] $inner [concat $keys [list $key]] }
}

foreach {name value} $variables { $child eval [list set ::env($name) $value] }
$child hide info
interp alias $child glob {} found
interp alias $child file {} about
interp alias $child info {} told $child {}
interp alias $child source {} run $child
foreach script $files { run $child $script }
foreach name [$child eval {array names ::env}] {
  set depth [expr {[dict exists $levels $name] ? [dict get $levels $name] : 0}]
  set value [$child eval [list set ::env($name)]]
  if {[catch { walk $depth $value [list $name] }]} { error "$name is no dictionary of $depth levels" }
}
