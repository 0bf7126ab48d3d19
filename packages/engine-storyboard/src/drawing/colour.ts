/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function mix(from: Rgb, to: Rgb, part: number): Rgb {
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];
}

export function multiply(colour: Rgb, light: Rgb): Rgb {
  return [(colour[0] * light[0]) / 255, (colour[1] * light[1]) / 255, (colour[2] * light[2]) / 255];
}

/** Negative amounts darken. */
export function lighten(colour: Rgb, amount: number): Rgb {
  return amount < 0 ? mix(colour, [12, 14, 26], -amount) : mix(colour, [255, 253, 246], amount);
}

export function brightness([red, green, blue]: Rgb): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** 0 is grey, 1 leaves it, more is stronger. */
export function saturate(colour: Rgb, amount: number): Rgb {
  const grey = brightness(colour) * 255;
  return mix([grey, grey, grey], colour, amount);
}

/** Turns the hue by so many degrees and keeps the brightness about. */
export function turn([red, green, blue]: Rgb, degrees: number): Rgb {
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle) / Math.sqrt(3);
  const third = (1 - cos) / 3;
  return [
    red * (cos + third) + green * (third - sin) + blue * (third + sin),
    red * (third + sin) + green * (cos + third) + blue * (third - sin),
    red * (third - sin) + green * (third + sin) + blue * (cos + third),
  ];
}

export function css(colour: Rgb, alpha = 1): string {
  const [red, green, blue] = colour.map((part) => Math.round(Math.min(255, Math.max(0, part))));
  return `rgba(${String(red)},${String(green)},${String(blue)},${String(Math.round(alpha * 1000) / 1000)})`;
}
