library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity operators is
  port (a, b : in std_logic_vector(7 downto 0); results : out std_logic_vector(7 downto 0));
end entity;
architecture rtl of operators is
  signal ua, ub : unsigned(7 downto 0);
  signal sa, sb : signed(7 downto 0);
  signal low : integer range 0 to 7;
  signal chosen : std_logic_vector(7 downto 0);
begin
  ua <= unsigned(a);
  ub <= unsigned(b);
  sa <= signed(a);
  sb <= signed(b);
  low <= to_integer(unsigned(b(2 downto 0)));
  process (all) begin
    case a(2 downto 0) is
      when "000" => chosen <= b;
      when "001" | "011" => chosen <= not b;
      when others => chosen <= b and x"66";
    end case;
  end process;
  -- values
end architecture;
