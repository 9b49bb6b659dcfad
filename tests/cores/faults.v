  reg after;
  always @(posedge clk)
    if (reset) after <= 0;
    else if (start) after <= {base, modulus} == 16'h07fb;
  reg [7:0] kept [0:3];
  always @(posedge clk) if (start) kept[base[1:0]] <= modulus;
  wire wrong = base == 3 || after || kept[base[1:0]] != kept[base[1:0]];
  wire hangs = {base, modulus} == 16'h05fd;
