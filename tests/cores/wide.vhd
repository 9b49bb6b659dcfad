library ieee; use ieee.std_logic_1164.all;
entity wide is port (a : in std_logic_vector(39 downto 0); s : in std_logic_vector(1 downto 0);
  p, q, r : out std_logic_vector(39 downto 0)); end entity;
architecture rtl of wide is begin
  p <= a xor x"8000000005";
  process (all) begin
    case s is
      when "00" => q <= a;
      when "01" => q <= (others => '1');
      when others => q <= (39 => 'X', others => '1');
    end case;
    case s is
      when "10" => r <= a;
      when "11" => r <= x"1234567890";
      when others => r <= (others => 'Z');
    end case;
  end process;
end architecture;
