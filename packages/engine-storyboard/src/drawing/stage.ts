import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Look } from '../words/look.ts';
import { css } from './colour.ts';
import type { Rgb } from './colour.ts';
import type { Palette } from './palette.ts';

/** Where the camera stands. */
export interface View {
  /** Widths that the foreground has moved by. */
  readonly x: number;
  /** Heights that the foreground has moved by; negative looks up. */
  readonly y: number;
  readonly zoom: number;
  /** What it zooms at, parts of width and height. */
  readonly focus: readonly [number, number];
}

/** One moment of a shot, and the canvas it is drawn on. */
export interface Stage {
  readonly ctx: SKRSContext2D;
  readonly width: number;
  readonly height: number;
  /** Height of an ordinary person, pixels. */
  readonly unit: number;
  /** Where land or water begins, pixels. */
  readonly horizon: number;
  readonly look: Look;
  readonly palette: Palette;
  /** Seconds on the clock of the scene: faster where the prompt says so. */
  readonly clock: number;
  /** 0 to 1 over the shot. */
  readonly part: number;
  readonly view: View;
}

/** Draws at a depth: 0 is the sky, 1 the foreground. What is nearer moves more, which is what makes it look deep. */
export function atDepth(stage: Stage, depth: number, draw: () => void): void {
  const { ctx, width, height, view } = stage;
  const zoom = 1 + (view.zoom - 1) * (0.25 + 0.75 * depth);
  const [x, y] = [view.focus[0] * width, view.focus[1] * height];
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(zoom, zoom);
  ctx.translate(-x - view.x * depth * width, -y - view.y * (0.35 + 0.65 * depth) * height);
  draw();
  ctx.restore();
}

/** How far outside of the frame a layer is drawn, in widths: the camera may come there. */
export const margin = 0.55;

export type Points = readonly (readonly [number, number])[];

export function polygon(ctx: SKRSContext2D, points: Points, fill: string): void {
  ctx.beginPath();
  for (const [at, [x, y]] of points.entries()) {
    if (at === 0) ctx.moveTo(x, y);
    else ctx.lineTo(x, y);
  }
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
}

/** A curve through the middles of the points' sides: a soft outline from few points. */
export function blob(ctx: SKRSContext2D, points: Points, fill: string): void {
  const middle = (at: number): readonly [number, number] => {
    const [a, b] = [points[at % points.length] ?? [0, 0], points[(at + 1) % points.length] ?? [0, 0]];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  ctx.beginPath();
  ctx.moveTo(...middle(0));
  for (let at = 1; at <= points.length; at++) {
    const [x, y] = points[at % points.length] ?? [0, 0];
    ctx.quadraticCurveTo(x, y, ...middle(at));
  }
  ctx.fillStyle = fill;
  ctx.fill();
}

export function disc(ctx: SKRSContext2D, x: number, y: number, radius: number, fill: string): void {
  ctx.beginPath();
  ctx.arc(x, y, Math.max(0, radius), 0, Math.PI * 2);
  ctx.fillStyle = fill;
  ctx.fill();
}

export function oval(ctx: SKRSContext2D, x: number, y: number, rx: number, ry: number, fill: string, angle = 0): void {
  ctx.beginPath();
  ctx.ellipse(x, y, Math.max(0, rx), Math.max(0, ry), angle, 0, Math.PI * 2);
  ctx.fillStyle = fill;
  ctx.fill();
}

export function box(
  ctx: SKRSContext2D,
  x: number,
  y: number,
  wide: number,
  high: number,
  fill: string,
  round = 0,
): void {
  ctx.fillStyle = fill;
  if (round > 0) {
    ctx.beginPath();
    ctx.roundRect(x, y, wide, high, round);
    ctx.fill();
  } else {
    ctx.fillRect(x, y, wide, high);
  }
}

export function line(ctx: SKRSContext2D, points: Points, stroke: string, wide: number): void {
  ctx.beginPath();
  for (const [at, [x, y]] of points.entries()) {
    if (at === 0) ctx.moveTo(x, y);
    else ctx.lineTo(x, y);
  }
  ctx.lineWidth = wide;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.strokeStyle = stroke;
  ctx.stroke();
}

/** Light that fades outward. */
export function glow(ctx: SKRSContext2D, x: number, y: number, radius: number, colour: Rgb, strength: number): void {
  const gradient = ctx.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, css(colour, strength));
  gradient.addColorStop(0.35, css(colour, strength * 0.38));
  gradient.addColorStop(1, css(colour, 0));
  ctx.fillStyle = gradient;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** A vertical gradient over the whole width of a layer. */
export function wash(stage: Stage, top: number, bottom: number, stops: readonly Rgb[]): void {
  const { ctx, width } = stage;
  const gradient = ctx.createLinearGradient(0, top, 0, bottom);
  for (const [at, colour] of stops.entries()) gradient.addColorStop(at / Math.max(1, stops.length - 1), css(colour));
  ctx.fillStyle = gradient;
  ctx.fillRect(-margin * width, top, (1 + 2 * margin) * width, bottom - top);
}
