"""Verilog of circuits inside other modules, in which tests plant faults."""

from rsaxcel.sim.translate import VerilogModule


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
