"""Circuits of the pipelined processor; ``proc.proc_rtl`` connects them and names the stages."""
