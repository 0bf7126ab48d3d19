import { blob, box, disc, line, oval, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

export const boats: Readonly<Record<string, (pen: Pen) => void>> = {
  sailboat: (pen) => {
    const { ctx, main, shade, pale, ink } = pen;
    const puff = 0.05 + 0.015 * Math.sin(pen.clock * 1.6);
    line(
      ctx,
      [
        [0, -0.16],
        [0, -1],
      ],
      ink,
      0.022,
    );
    ctx.beginPath();
    ctx.moveTo(0.025, -0.98);
    ctx.quadraticCurveTo(0.32 + puff, -0.5, 0.4, -0.24);
    ctx.lineTo(0.025, -0.24);
    ctx.closePath();
    ctx.fillStyle = pale;
    ctx.fill();
    ctx.beginPath();
    ctx.moveTo(-0.025, -0.9);
    ctx.quadraticCurveTo(-0.2 + puff, -0.5, -0.32, -0.24);
    ctx.lineTo(-0.025, -0.24);
    ctx.closePath();
    ctx.fillStyle = main;
    ctx.fill();
    polygon(
      ctx,
      [
        [-0.02, -1],
        [-0.02, -1.06],
        [-0.15, -1.03],
      ],
      main,
    );
    blob(
      ctx,
      [
        [-0.62, -0.26],
        [-0.52, 0],
        [0, 0.1],
        [0.5, 0.02],
        [0.74, -0.26],
        [0, -0.12],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.5, -0.17],
        [0.6, -0.17],
        [0.52, -0.1],
        [-0.46, -0.1],
      ],
      shade,
    );
  },
  ship: (pen) => {
    const { ctx, main, shade, pale, light } = pen;
    for (let puff = 0; puff < 5; puff++) {
      const age = (pen.clock * 0.5 + puff / 5) % 1;
      ctx.globalAlpha = 0.5 * (1 - age);
      disc(ctx, -0.1 - age * 0.5, -0.98 - age * 0.25, 0.05 + age * 0.1, pale);
    }
    ctx.globalAlpha = 1;
    box(ctx, -0.16, -0.98, 0.14, 0.32, shade, 0.02);
    box(ctx, -0.16, -0.92, 0.14, 0.07, light);
    box(ctx, 0.12, -0.9, 0.12, 0.3, shade, 0.02);
    box(ctx, -0.5, -0.64, 0.9, 0.2, pale, 0.04);
    box(ctx, -0.62, -0.46, 1.2, 0.22, pale, 0.04);
    for (let at = 0; at < 8; at++) box(ctx, -0.54 + at * 0.135, -0.39, 0.07, 0.07, pen.lit('#34506f'), 0.03);
    polygon(
      ctx,
      [
        [-0.95, -0.28],
        [1.12, -0.32],
        [0.86, 0.08],
        [-0.82, 0.08],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.86, -0.04],
        [0.97, -0.05],
        [0.86, 0.08],
        [-0.82, 0.08],
      ],
      shade,
    );
  },
  submarine: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    box(ctx, -0.12, -0.9, 0.32, 0.3, shade, 0.06);
    line(
      ctx,
      [
        [0.06, -0.9],
        [0.06, -1.08],
        [0.18, -1.08],
      ],
      shade,
      0.05,
    );
    oval(ctx, 0, -0.42, 0.88, 0.32, main);
    const turn = Math.cos(pen.clock * 9);
    oval(ctx, -0.92, -0.42, 0.05, 0.24 * Math.abs(turn) + 0.03, ink);
    for (const x of [-0.3, 0.1, 0.5]) {
      disc(ctx, x, -0.46, 0.11, shade);
      disc(ctx, x, -0.46, 0.075, pen.lit('#ffe9a8'));
    }
    oval(ctx, 0.1, -0.62, 0.5, 0.06, light);
  },
};
