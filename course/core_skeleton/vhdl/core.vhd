-- skeleton: squares and multiplies, a bit of a product in a cycle.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

-- p = a * b mod n, by interleaved multiplication; a < n. done is 1 unless it computes.
entity rsa_product is
  generic (C_BLOCK_SIZE : integer := 256);
  port (
    clk, reset_n : in  std_logic;
    start        : in  std_logic;
    a, b, n      : in  std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
    done         : out std_logic;
    p            : out std_logic_vector(C_BLOCK_SIZE - 1 downto 0)
  );
end entity;

architecture rtl of rsa_product is
  signal sum  : unsigned(C_BLOCK_SIZE - 1 downto 0);  -- below n
  signal bits : unsigned(C_BLOCK_SIZE - 1 downto 0);  -- of b, the next one on top
  signal left : integer range 0 to C_BLOCK_SIZE;      -- bits to come
begin
  done <= '1' when left = 0 else '0';
  p    <= std_logic_vector(sum);

  process (clk, reset_n)
    variable doubled : unsigned(C_BLOCK_SIZE + 1 downto 0);
  begin
    if reset_n = '0' then
      left <= 0;
    elsif rising_edge(clk) then
      if start = '1' then
        sum  <= (others => '0');
        bits <= unsigned(b);
        left <= C_BLOCK_SIZE;
      elsif left /= 0 then
        doubled := '0' & sum & '0';
        if bits(C_BLOCK_SIZE - 1) = '1' then
          doubled := doubled + unsigned(a);
        end if;
        if doubled >= unsigned(n) & '0' then
          doubled := doubled - (unsigned(n) & '0');
        elsif doubled >= unsigned(n) then
          doubled := doubled - unsigned(n);
        end if;
        sum  <= doubled(C_BLOCK_SIZE - 1 downto 0);
        bits <= bits(C_BLOCK_SIZE - 2 downto 0) & '0';
        left <= left - 1;
      end if;
    end if;
  end process;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

-- A message comes with msgin_valid and msgin_ready; its power leaves with msgout_valid and
-- msgout_ready. key_e_d and key_n stay as they are until then.
entity rsa_core is
  generic (C_BLOCK_SIZE : integer := 256);
  port (
    clk, reset_n : in  std_logic;
    msgin_valid  : in  std_logic;
    msgin_ready  : out std_logic;
    msgin_data   : in  std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
    msgin_last   : in  std_logic;
    msgout_valid : out std_logic;
    msgout_ready : in  std_logic;
    msgout_data  : out std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
    msgout_last  : out std_logic;
    key_e_d      : in  std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
    key_n        : in  std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
    rsa_status   : out std_logic_vector(31 downto 0)
  );
end entity;

architecture rtl of rsa_core is
  type state_t is (idle, squares, multiplies, answers);
  signal state         : state_t;
  signal power, base   : std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
  signal factor, p     : std_logic_vector(C_BLOCK_SIZE - 1 downto 0);
  signal exponent      : unsigned(C_BLOCK_SIZE - 1 downto 0);  -- the next bit on top
  signal left          : integer range 0 to C_BLOCK_SIZE - 1;  -- bits behind it
  signal start, done   : std_logic;
  signal last          : std_logic;
begin
  unit : entity work.rsa_product
    generic map (C_BLOCK_SIZE => C_BLOCK_SIZE)
    port map (
      clk => clk, reset_n => reset_n, start => start,
      a => power, b => factor, n => key_n, done => done, p => p
    );

  factor       <= base when state = multiplies else power;
  msgin_ready  <= '1' when state = idle else '0';
  msgout_valid <= '1' when state = answers else '0';
  msgout_data  <= power;
  msgout_last  <= last;
  rsa_status   <= (others => '0');

  process (clk, reset_n)
  begin
    if reset_n = '0' then
      state <= idle;
      start <= '0';
    elsif rising_edge(clk) then
      start <= '0';
      case state is
        when idle =>
          if msgin_valid = '1' then
            base     <= msgin_data;
            exponent <= unsigned(key_e_d);
            last     <= msgin_last;
            power    <= std_logic_vector(to_unsigned(1, C_BLOCK_SIZE));
            left     <= C_BLOCK_SIZE - 1;
            start    <= '1';
            state    <= squares;
          end if;
        when squares =>
          if start = '0' and done = '1' then
            power <= p;
            start <= '1';
            state <= multiplies;
          end if;
        when multiplies =>
          if start = '0' and done = '1' then
            if exponent(C_BLOCK_SIZE - 1) = '1' then
              power <= p;
            end if;
            exponent <= exponent(C_BLOCK_SIZE - 2 downto 0) & '0';
            if left = 0 then
              state <= answers;
            else
              left  <= left - 1;
              start <= '1';
              state <= squares;
            end if;
          end if;
        when answers =>
          if msgout_ready = '1' then
            state <= idle;
          end if;
      end case;
    end if;
  end process;
end architecture;
