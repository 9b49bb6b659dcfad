(card) => {
    const light = (colour) => {
      const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((x) => x / 255);
      const linear = parts.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const found = [...document.querySelectorAll(`${card} .slice`)].filter((x) =>
      x.querySelector("text")).map((x) => {
        const pair = [x.querySelector("path.surface"), x.querySelector("text")];
        const [one, other] = pair.map((y) => light(getComputedStyle(y).fill) + 0.05);
        return Math.max(one, other) / Math.min(one, other);
      });
    return Math.min(...found);
  }