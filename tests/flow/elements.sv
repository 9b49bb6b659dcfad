module unit (
  input logic clk, input logic [17:0] a, b,
  output logic [7:0] q, output logic [18:0] sum, output logic [33:0] product,
  output logic [5:0] word, output logic late
);
  logic [7:0] q_reg;
  logic [5:0] words [0:31];
  logic [15:0] line_reg;
  always_ff @(posedge clk) begin
    q_reg <= a[7:0];
    if (a[5]) words[a[4:0]] <= b[5:0];
    line_reg <= {line_reg[14:0], a[0]};
  end
  assign q = q_reg;
  assign sum = 19'(a) + 19'(b);
  assign product = 34'(a[16:0]) * 34'(b[16:0]);
  assign word = words[b[10:6]];
  assign late = line_reg[15];
endmodule
