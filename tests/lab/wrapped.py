"""Verilog of circuits inside other modules, in which tests plant faults; claims that it refutes."""

from rsaxcel.lab.proofs.claim import Counterexample
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.sim.runners import translation
from rsaxcel.sim.translate import VerilogModule

SECONDS = 60
"""Time for a proof."""


def refuted(claim, *told: str, seconds: float = SECONDS) -> Counterexample:
    """Return the counterexample of a claim that is wrong; its text has all of ``told``."""
    proof = claim.prove(seconds)
    assert proof.verdict is ProofVerdict.REFUTED, proof
    assert all(x in proof.counterexample.text for x in told), proof.counterexample.text
    return proof.counterexample


def field_of(configuration, name: str):
    """Field of a circuit's request."""
    (field,) = (x for x in translation(configuration, "rtl").request.fields if x.name == name)
    return field


def wrapped(module: VerilogModule, body: str) -> str:
    """Put a circuit, as module ``inner``, into a module of its name and ports.

    ``body`` instantiates it; ``last`` is the last request, and ``offered`` is free for its
    ``send__val``.
    """
    request, response = module.request.width, module.response.width
    return f"""{module.text.replace(f"module {module.top}", "module inner")}
module {module.top}(
  input clk, input reset, input recv__val, input [{request - 1}:0] recv__msg, output recv__rdy,
  output send__val, output [{response - 1}:0] send__msg, input send__rdy);
  logic offered;
  logic [{request - 1}:0] last;
  always_ff @(posedge clk) if (recv__val & recv__rdy) last <= recv__msg;
  {body}
endmodule
"""
