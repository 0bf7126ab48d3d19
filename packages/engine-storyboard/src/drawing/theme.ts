import { createHash } from 'node:crypto';

export const shapes = ['circle', 'ring', 'square', 'bars'] as const;
export const motions = ['drift', 'orbit', 'sweep', 'rise'] as const;

/** The appearance of the cards of a video, derived from a seed and a prompt, the same on every machine. */
export interface Theme {
  /** Degrees on the colour wheel. */
  readonly hue: number;
  /** Direction of the gradient of the backdrop, in radians. */
  readonly angle: number;
  readonly shape: (typeof shapes)[number];
  readonly motion: (typeof motions)[number];
  /** Start of the motion, 0 to 1. */
  readonly phase: number;
}

export function themeOf(seed: number, prompt: string): Theme {
  const digest = createHash('sha256')
    .update(`${String(seed)}\n${prompt}`)
    .digest();
  const fraction = (at: number): number => digest.readUInt16BE(at * 2) / 0x1_0000;
  return {
    hue: Math.floor(fraction(0) * 360),
    angle: fraction(1) * 2 * Math.PI,
    shape: shapes[Math.floor(fraction(2) * shapes.length)] ?? 'circle',
    motion: motions[Math.floor(fraction(3) * motions.length)] ?? 'drift',
    phase: fraction(4),
  };
}
