module summand (input logic clk, input logic [7:0] a, b, output logic [7:0] sum);
  logic [7:0] sum_reg;
  always_ff @(posedge clk) sum_reg <= a + b;
  assign sum = sum_reg;
endmodule

module RegisterFile (
  input logic clk, write, input logic [3:0] index, other, input logic [5:0] word,
  output logic [5:0] value
);
  logic [5:0] words [0:15];
  always_ff @(posedge clk) if (write) words[index] <= word;
  assign value = words[other];
endmodule

module unit (
  input logic clk, write, input logic [7:0] a, b, c, output logic [7:0] sum,
  output logic [5:0] value
);
  logic [7:0] first;
  logic [5:0] late_reg;
  summand one (.clk(clk), .a(a), .b(b), .sum(first));
  summand two (.clk(clk), .a(first), .b(c), .sum(sum));
  RegisterFile bank (
    .clk(clk), .write(write), .index(a[3:0]), .other(b[3:0]), .word(late_reg), .value(value)
  );
  always_ff @(posedge clk) late_reg <= a[7:2];
endmodule
