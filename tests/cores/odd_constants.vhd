-- Revision 0.01 - File Created
/* a block -- */
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
package constants is constant FIVE : unsigned(3 downto 0) := x"5"; end package;
