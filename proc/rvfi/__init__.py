"""The RISC-V formal interface (RVFI): a processor that shows each instruction as it retires.

The interface is for checks and proofs only; the systems' processor is ``proc.proc_rtl.ProcRTL``.
"""
