library ieee; use ieee.std_logic_1164.all;
entity choice is port (a : in std_logic_vector(3 downto 0); q : out std_logic); end entity;
architecture rtl of choice is begin
  process (all) begin
    case? a is
      when "1---" => q <= '1';
      when others => q <= '0';
    end case?;
  end process;
end architecture;
