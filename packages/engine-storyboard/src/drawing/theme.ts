import { createHash } from 'node:crypto';
import type { SKRSContext2D } from '@napi-rs/canvas';

/** Each draws its shape around the origin. `part`: the position in the video, 0 to 1. */
const shapes: readonly ((ctx: SKRSContext2D, size: number, part: number) => void)[] = [
  (ctx, size) => {
    ctx.arc(0, 0, size / 2, 0, 2 * Math.PI);
    ctx.fill();
  },
  (ctx, size) => {
    ctx.arc(0, 0, size / 2, 0, 2 * Math.PI);
    ctx.stroke();
  },
  (ctx, size, part) => {
    ctx.rotate(part * Math.PI);
    ctx.fillRect(-size / 2, -size / 2, size, size);
  },
  (ctx, size) => {
    for (const at of [-1, 0, 1]) ctx.fillRect(at * size * 0.4 - size * 0.1, -size / 2, size * 0.2, size);
  },
];

/** Positions of the shape as fractions of the width and height. The lower third is reserved for text. */
const motions: readonly ((part: number, phase: number) => readonly [x: number, y: number])[] = [
  (part, phase) => [0.2 + 0.6 * part, 0.3 + 0.06 * Math.sin((phase + part) * 4 * Math.PI)],
  (part, phase) => [
    0.5 + 0.25 * Math.cos((phase + part) * 2 * Math.PI),
    0.3 + 0.14 * Math.sin((phase + part) * 2 * Math.PI),
  ],
  (part, phase) => [0.5 + 0.32 * Math.sin((phase + part) * 2 * Math.PI), 0.2 + 0.15 * phase],
  (part, phase) => [0.25 + 0.5 * phase, 0.45 - 0.3 * part],
];

/** The appearance of the cards of a video. */
export interface Theme {
  /** Degrees on the colour wheel. */
  readonly hue: number;
  /** Direction of the gradient of the backdrop, in radians. */
  readonly angle: number;
  /** Draws the shape at its position in a part of the video, 0 to 1, in a CSS colour. */
  drawShape(ctx: SKRSContext2D, part: number, colour: string): void;
}

/** The theme of a seed and a prompt, the same on every machine. */
export function themeOf(seed: number, prompt: string): Theme {
  const digest = createHash('sha256').update(`${seed}\n${prompt}`).digest();
  const fraction = (at: number): number => digest.readUInt16BE(at * 2) / 0x1_0000;
  const shape = shapes[Math.floor(fraction(2) * shapes.length)];
  const motion = motions[Math.floor(fraction(3) * motions.length)];
  const phase = fraction(4);
  return {
    hue: Math.floor(fraction(0) * 360),
    angle: fraction(1) * 2 * Math.PI,
    drawShape(ctx, part, colour) {
      const { width, height } = ctx.canvas;
      const size = Math.min(width, height) * 0.2;
      const [x, y] = motion?.(part, phase) ?? [0, 0];
      ctx.save();
      ctx.globalAlpha = 0.8;
      ctx.fillStyle = colour;
      ctx.strokeStyle = colour;
      ctx.lineWidth = size * 0.22;
      ctx.translate(x * width, y * height);
      ctx.beginPath();
      shape?.(ctx, size, part);
      ctx.restore();
    },
  };
}
