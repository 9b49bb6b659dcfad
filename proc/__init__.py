"""RISC-V processor (RV32IM) at FL and RTL, systems with an accelerator, and their programs."""
