# OSU's standard cells for 180 nm (TSMC's process by MOSIS's scalable rules), from Debian's package
# qflow-tech-osu018, installed or unpacked by the set-up. Capacitances are in the library's unit,
# picofarads.
set ADK_PROCESS 180
set ADK_LIBERTY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

set ADK_DRIVING_CELL "INVX2"
# An INVX4's input takes 37 fF.
set ADK_TYPICAL_ON_CHIP_LOAD 0.037

# Without tie cells, constants are the rails.
set ADK_TIE_HI_CELL ""
set ADK_TIE_HI_PORT ""
set ADK_TIE_LO_CELL ""
set ADK_TIE_LO_PORT ""

set ADK_MIN_BUF_CELL "BUFX2"
set ADK_MIN_BUF_PORT_I "A"
set ADK_MIN_BUF_PORT_O "Y"

# Layers, site and cells are in one file. The cells have ties to the wells; there are no end caps and
# no diodes against antennas.
set ADK_LEF "/usr/share/qflow/tech/osu018/osu018_stdcells.lef"
set ADK_FILLER_CELLS "FILL"
set ADK_POWER_MESH_BOT_LAYER 4
set ADK_POWER_MESH_TOP_LAYER 5
