import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Theme } from './theme.ts';

export interface ShapeFrame {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Position in the video, 0 to 1. */
  readonly part: number;
  /** A CSS colour. */
  readonly colour: string;
}

/** Draws the shape of the theme at its current position. */
export function drawShape(ctx: SKRSContext2D, theme: Theme, { width, height, part, colour }: ShapeFrame): void {
  const size = Math.min(width, height) * 0.2;
  const [x, y] = positionOf(theme, part);
  ctx.save();
  ctx.globalAlpha = 0.8;
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = size * 0.22;
  ctx.translate(x * width, y * height);
  ctx.beginPath();
  switch (theme.shape) {
    case 'circle':
      ctx.arc(0, 0, size / 2, 0, 2 * Math.PI);
      ctx.fill();
      break;
    case 'ring':
      ctx.arc(0, 0, size / 2, 0, 2 * Math.PI);
      ctx.stroke();
      break;
    case 'square':
      ctx.rotate(part * Math.PI);
      ctx.fillRect(-size / 2, -size / 2, size, size);
      break;
    case 'bars':
      for (const at of [-1, 0, 1]) ctx.fillRect(at * size * 0.4 - size * 0.1, -size / 2, size * 0.2, size);
      break;
  }
  ctx.restore();
}

/** Fractions of the width and height. The lower third is reserved for text. */
function positionOf({ motion, phase }: Theme, part: number): readonly [number, number] {
  const turn = (phase + part) * 2 * Math.PI;
  switch (motion) {
    case 'drift':
      return [0.2 + 0.6 * part, 0.3 + 0.06 * Math.sin(turn * 2)];
    case 'orbit':
      return [0.5 + 0.25 * Math.cos(turn), 0.3 + 0.14 * Math.sin(turn)];
    case 'sweep':
      return [0.5 + 0.32 * Math.sin(turn), 0.2 + 0.15 * phase];
    case 'rise':
      return [0.25 + 0.5 * phase, 0.45 - 0.3 * part];
  }
}
