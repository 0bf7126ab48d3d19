import type { SKRSContext2D } from '@napi-rs/canvas';
import { css, lighten, mix } from './colour.ts';
import type { Rgb } from './colour.ts';
import { box, disc, line, oval } from './stage.ts';

/** Plants that stand at (x, y) and are `high` pixels high. They serve as scenery and as actors. */
export function drawPine(
  ctx: SKRSContext2D,
  x: number,
  y: number,
  high: number,
  colour: Rgb,
  ink: Rgb,
  lean = 0,
): void {
  box(ctx, x - high * 0.03, y - high * 0.16, high * 0.06, high * 0.17, css(mix(ink, colour, 0.3)));
  const tier = (bottom: number, top: number, half: number) => {
    const [low, peak] = [y - high * bottom, y - high * top];
    const [sway, tip] = [lean * high * bottom, lean * high * top];
    ctx.moveTo(x - half * high + sway, low);
    ctx.lineTo(x + tip, peak);
    ctx.lineTo(x + half * high + sway, low);
    ctx.closePath();
  };
  ctx.beginPath();
  tier(0.1, 0.56, 0.24);
  tier(0.34, 0.8, 0.185);
  tier(0.58, 1, 0.125);
  ctx.fillStyle = css(colour);
  ctx.fill();
  // The side in the shade.
  ctx.beginPath();
  for (const [bottom, top, half] of [
    [0.1, 0.56, 0.24],
    [0.34, 0.8, 0.185],
    [0.58, 1, 0.125],
  ] as const) {
    ctx.moveTo(x + lean * high * top, y - high * top);
    ctx.lineTo(x + half * high + lean * high * bottom, y - high * bottom);
    ctx.lineTo(x + lean * high * bottom, y - high * bottom);
    ctx.closePath();
  }
  ctx.fillStyle = css(lighten(colour, -0.16));
  ctx.fill();
}

export function drawRoundTree(
  ctx: SKRSContext2D,
  x: number,
  y: number,
  high: number,
  colour: Rgb,
  ink: Rgb,
  lean = 0,
): void {
  const sway = lean * high;
  box(ctx, x - high * 0.035, y - high * 0.42, high * 0.07, high * 0.43, css(mix(ink, colour, 0.25)));
  const crown = (dx: number, up: number, radius: number, fill: string) =>
    disc(ctx, x + dx * high + sway, y - up * high, radius * high, fill);
  const [shade, light] = [css(lighten(colour, -0.14)), css(colour)];
  crown(0.14, 0.5, 0.17, shade);
  crown(-0.15, 0.5, 0.17, shade);
  crown(0.02, 0.68, 0.25, shade);
  crown(-0.16, 0.55, 0.15, light);
  crown(-0.03, 0.72, 0.235, light);
  crown(0.1, 0.58, 0.15, light);
}

export function drawPalm(
  ctx: SKRSContext2D,
  x: number,
  y: number,
  high: number,
  colour: Rgb,
  ink: Rgb,
  sway: number,
): void {
  const tip = [x + high * (0.16 + sway), y - high * 0.78] as const;
  ctx.beginPath();
  ctx.moveTo(x - high * 0.035, y);
  ctx.quadraticCurveTo(x + high * 0.02, y - high * 0.45, tip[0] - high * 0.018, tip[1]);
  ctx.lineTo(tip[0] + high * 0.018, tip[1]);
  ctx.quadraticCurveTo(x + high * 0.09, y - high * 0.42, x + high * 0.035, y);
  ctx.closePath();
  ctx.fillStyle = css(mix(ink, [150, 105, 70], 0.45));
  ctx.fill();
  for (const [at, angle] of [-2.95, -2.35, -1.7, -1.15, -0.55, 0.05].entries()) {
    const long = high * 0.4;
    const turn = angle + sway * (at % 2 === 0 ? 1.5 : 1);
    const [ex, ey] = [tip[0] + Math.cos(turn) * long, tip[1] + Math.sin(turn) * long * 0.55 + long * 0.3];
    ctx.beginPath();
    ctx.moveTo(...tip);
    ctx.quadraticCurveTo((tip[0] + ex) / 2, tip[1] + Math.sin(turn) * long * 0.75 - long * 0.2, ex, ey);
    ctx.quadraticCurveTo((tip[0] + ex) / 2, tip[1] + Math.sin(turn) * long * 0.4 + long * 0.06, ...tip);
    ctx.fillStyle = css(at % 2 === 0 ? colour : lighten(colour, -0.16));
    ctx.fill();
  }
}

export function drawCactus(ctx: SKRSContext2D, x: number, y: number, high: number, colour: Rgb): void {
  const stem = css(colour);
  const wide = high * 0.16;
  line(
    ctx,
    [
      [x, y],
      [x, y - high * 0.9],
    ],
    stem,
    wide,
  );
  line(
    ctx,
    [
      [x, y - high * 0.4],
      [x - high * 0.26, y - high * 0.4],
      [x - high * 0.26, y - high * 0.66],
    ],
    stem,
    wide * 0.75,
  );
  line(
    ctx,
    [
      [x, y - high * 0.3],
      [x + high * 0.25, y - high * 0.3],
      [x + high * 0.25, y - high * 0.56],
    ],
    stem,
    wide * 0.75,
  );
  line(
    ctx,
    [
      [x + wide * 0.22, y - high * 0.05],
      [x + wide * 0.22, y - high * 0.9],
    ],
    css(lighten(colour, -0.18)),
    wide * 0.2,
  );
}

export function drawFlower(
  ctx: SKRSContext2D,
  x: number,
  y: number,
  high: number,
  colour: Rgb,
  green: Rgb,
  sway: number,
): void {
  const [hx, hy] = [x + sway * high, y - high * 0.8];
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.quadraticCurveTo(x, y - high * 0.4, hx, hy);
  ctx.lineWidth = high * 0.05;
  ctx.lineCap = 'round';
  ctx.strokeStyle = css(green);
  ctx.stroke();
  oval(ctx, x + high * 0.11, y - high * 0.26, high * 0.13, high * 0.05, css(green), -0.6);
  oval(ctx, x - high * 0.1, y - high * 0.38, high * 0.12, high * 0.045, css(green), 0.6);
  for (let petal = 0; petal < 7; petal++) {
    const angle = (petal / 7) * Math.PI * 2 + sway * 2;
    oval(
      ctx,
      hx + Math.cos(angle) * high * 0.12,
      hy + Math.sin(angle) * high * 0.12,
      high * 0.1,
      high * 0.065,
      css(petal % 2 === 0 ? colour : lighten(colour, 0.1)),
      angle,
    );
  }
  disc(ctx, hx, hy, high * 0.075, css([245, 190, 70]));
}

export function drawMushroom(ctx: SKRSContext2D, x: number, y: number, high: number, colour: Rgb, pale: Rgb): void {
  box(ctx, x - high * 0.13, y - high * 0.55, high * 0.26, high * 0.56, css(pale), high * 0.1);
  ctx.beginPath();
  ctx.ellipse(x, y - high * 0.48, high * 0.46, high * 0.5, 0, Math.PI, 0);
  ctx.closePath();
  ctx.fillStyle = css(colour);
  ctx.fill();
  for (const [dx, up, size] of [
    [-0.2, 0.66, 0.07],
    [0.08, 0.82, 0.06],
    [0.24, 0.62, 0.055],
    [-0.02, 0.6, 0.045],
  ] as const) {
    disc(ctx, x + dx * high, y - up * high, size * high, css(pale));
  }
}
