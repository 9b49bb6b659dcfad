"""Generates a self-checking testbench in Verilog for any Verilog simulator."""

from collections.abc import Iterable, Sequence

from rsaxcel.circuit import Circuit, is_product
from rsaxcel.fl.status import Status
from rsaxcel.sim.runners import cycles_of, hang_cycles
from rsaxcel.sim.translate import Message, VerilogModule
from rsaxcel.sim.vectors import Vector

SUFFIX = "_tb"


def testbench(
    configuration: Circuit, module: VerilogModule, vectors: Iterable[Vector], origin: str
) -> str:
    """Verilog of a module that runs vectors on a design or a multiplier and checks the answers.

    One request at a time; the response is taken at once. Results come from Python's integers,
    statuses from the input rules, cycles from the cycle model or a simulation. The module prints a
    line for each mismatch, then ``PASS`` or ``FAIL``; ``$fatal`` ends it after a mismatch or
    without an answer. Vectors against a multiplier's contract are left out: multipliers have no
    status. ``origin``: text on the vectors' origin.
    """
    has_status = not is_product(configuration)
    run = [v for v in vectors if has_status or v.status is Status.OK]
    if not run:
        raise ValueError(f"{origin}: no vector that {configuration.name} can run")
    request, response = module.request, module.response
    rows = []
    cycles = cycles_of(configuration, [vector.operands for vector in run])
    for index, vector in enumerate(run):
        answer = (vector.result, vector.status) if has_status else (vector.result,)
        rows.append(
            f"    request[{index}] = {_literal(request, configuration.request(*vector.operands))};"
            f" response[{index}] = {_literal(response, answer)};"
            f" duration[{index}] = {cycles[index]};"
            f" // vector {vector.line}"
        )
    return _TEXT.format(
        top=module.top,
        bench=module.top + SUFFIX,
        origin=origin,
        request=_layout(request),
        response=_layout(response),
        request_msb=request.width - 1,
        response_msb=response.width - 1,
        port_in=request.port_nbits,
        port_out=response.port_nbits,
        digits_in=request.digits,
        digits_out=response.digits,
        count=len(run),
        last=len(run) - 1,
        limit=hang_cycles(configuration),
        rows="\n".join(rows),
    )


def _literal(message: Message, values: Sequence[int]) -> str:
    """Pack the values of a message's fields into one number, as a Verilog literal."""
    number = 0
    for field, value in zip(message.fields, values, strict=True):
        number |= int(value) << field.lsb
    return f"{message.width}'h{number:x}"


def _layout(message: Message) -> str:
    fields = (f"{field.name}[{field.width - 1}:0]" for field in message.fields)
    return f"{{{', '.join(fields)}}}"


_TEXT = """\
// Runs vectors on {top} and checks results, status and cycles.
//
// Vectors: {origin}.
// request  {request}
// response {response}

`timescale 1ns / 1ps

module {bench};
  localparam COUNT = {count};
  localparam RESET_CYCLES = 3;
  localparam LIMIT = {limit};  // cycles without a handshake
  localparam DIGITS_IN = {digits_in};  // parts in which a request is sent, least significant first
  localparam DIGITS_OUT = {digits_out};

  reg [{request_msb}:0] request [0:{last}];
  reg [{response_msb}:0] response [0:{last}];
  integer duration [0:{last}];  // cycles from the request's acceptance to the response

  reg clk, reset, val;
  wire recv_rdy, send_val;
  wire [{port_out}-1:0] digit;
  reg [{response_msb}:0] answer;
  integer index, cycle, start, idle, taken, errors, sent, got;
  reg accepted;

  // While no request is offered, the bitwise inverse of the next one: the circuit must not read it.
  wire [{request_msb}:0] whole = request[index];
  wire [{port_in}-1:0] part = whole[sent*{port_in} +: {port_in}];
  wire [{port_in}-1:0] offered = val ? part : ~part;

  {top} dut (
    .clk(clk),
    .reset(reset),
    .recv__msg(offered),
    .recv__val(val),
    .recv__rdy(recv_rdy),
    .send__msg(digit),
    .send__val(send_val),
    .send__rdy(~reset)
  );

  initial begin
{rows}
    index = 0;
    cycle = 0;
    start = 0;
    idle = 0;
    errors = 0;
    sent = 0;
    got = 0;
    accepted = 0;
    clk = 0;
    reset = 1;
    val = 0;
  end

  always #5 clk = ~clk;

  // Inputs of the circuit are assigned without blocking, so that they change after the edge.
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (reset) begin
      if (cycle == RESET_CYCLES) begin
        reset <= 0;
        val <= 1;
      end
    end else begin
      idle = idle + 1;
      if (val && recv_rdy === 1'b1) begin
        idle = 0;
        if (sent == DIGITS_IN - 1) begin
          accepted = 1;
          start = cycle;
          val <= 0;
          sent <= 0;
        end else begin
          sent <= sent + 1;
        end
      end
      if (send_val === 1'b1) begin
        idle = 0;
        answer[got*{port_out} +: {port_out}] = digit;
        got = got + 1;
      end
      if (got == DIGITS_OUT) begin
        got = 0;
        taken = cycle - start;
        if (!accepted) begin
          $display("mismatch: a response without a request, before vector %0d", index + 1);
          errors = errors + 1;
        end else if (answer !== response[index]) begin
          $display("mismatch: vector %0d: response %h, expected %h", index + 1, answer,
                   response[index]);
          errors = errors + 1;
        end else if (taken != duration[index]) begin
          $display("mismatch: vector %0d: %0d cycles, expected %0d", index + 1, taken,
                   duration[index]);
          errors = errors + 1;
        end
        accepted = 0;
        if (index == COUNT - 1 || errors > 10) begin
          if (errors == 0) begin
            $display("PASS: {top}, %0d vectors, %0d cycles", COUNT, cycle - RESET_CYCLES);
            $finish;
          end else begin
            $fatal(1, "FAIL: {top}, at least %0d of %0d vectors", errors, COUNT);
          end
        end else begin
          index <= index + 1;
          val <= 1;
        end
      end
      if (idle > LIMIT) begin
        $fatal(1, "FAIL: {top}, vector %0d: no handshake for %0d cycles", index + 1, LIMIT);
      end
    end
  end
endmodule
"""
