library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use work.constants.all;
entity odd is
  port (clk : in std_logic; always : in std_logic_vector(3 downto 0);
        wire, output : out std_logic_vector(3 downto 0));
end entity;
architecture rtl of odd is
  type bank is array (0 to 3) of unsigned(3 downto 0);
  type state is (first, second, third);
  signal module : bank := (others => FIVE);
  signal reg : unsigned(3 downto 0) := FIVE;
  signal begins : state;
begin
  process (clk) begin
    if rising_edge(clk) then
      reg <= reg + unsigned(always);
      module(to_integer(reg(1 downto 0))) <= unsigned(always);
      case begins is
        when first => begins <= second;
        when second => begins <= third;
        when others => begins <= first;
      end case;
    end if;
  end process;
  wire <= std_logic_vector(reg) when begins = third else "0000";
  output <= std_logic_vector(module(to_integer(reg(3 downto 2))));
end architecture;
