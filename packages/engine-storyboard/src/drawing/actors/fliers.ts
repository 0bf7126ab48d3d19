import { blob, disc, line, oval, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

export const fliers: Readonly<Record<string, (pen: Pen) => void>> = {
  bird: (pen) => {
    const { ctx, main, shade, ink } = pen;
    const flap = Math.sin(pen.clock * 8 * Math.max(0.5, pen.stride) + pen.index * 2);
    const tip = -0.5 - flap * 0.5;
    blob(
      ctx,
      [
        [-0.1, -0.5],
        [-0.5, tip - 0.1],
        [-1.1, tip + 0.12],
        [-0.5, tip + 0.22],
        [0.05, -0.36],
      ],
      shade,
    );
    oval(ctx, 0, -0.42, 0.5, 0.16, main, -0.12);
    polygon(
      ctx,
      [
        [-0.4, -0.42],
        [-0.78, -0.3],
        [-0.72, -0.5],
      ],
      main,
    );
    disc(ctx, 0.46, -0.55, 0.15, main);
    polygon(
      ctx,
      [
        [0.57, -0.6],
        [0.8, -0.52],
        [0.57, -0.48],
      ],
      pen.lit('#f0a53a'),
    );
    disc(ctx, 0.5, -0.58, 0.03, ink);
    blob(
      ctx,
      [
        [0.2, -0.46],
        [-0.1, tip],
        [-0.5, tip - 0.22],
        [-0.35, tip + 0.22],
        [-0.15, -0.34],
      ],
      main,
    );
  },
  butterfly: (pen) => {
    const { ctx, main, light, ink } = pen;
    const open = 0.35 + 0.65 * Math.abs(Math.sin(pen.clock * 5 + pen.index));
    for (const side of [-1, 1]) {
      oval(ctx, side * 0.3 * open, -0.66, 0.3 * open, 0.3, main, side * 0.5);
      oval(ctx, side * 0.24 * open, -0.3, 0.22 * open, 0.2, light, -side * 0.4);
      oval(ctx, side * 0.34 * open, -0.7, 0.12 * open, 0.12, light);
    }
    oval(ctx, 0, -0.5, 0.045, 0.3, ink);
    line(
      ctx,
      [
        [0, -0.75],
        [0.1, -0.95],
      ],
      ink,
      0.02,
    );
    line(
      ctx,
      [
        [0, -0.75],
        [-0.1, -0.95],
      ],
      ink,
      0.02,
    );
  },
  dragon: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    const flap = Math.sin(pen.clock * 4) * 0.35;
    const wave = (at: number) => Math.sin(pen.clock * 2.2 - at * 0.8) * 0.06;
    blob(
      ctx,
      [
        [0, -0.5],
        [-0.35, -0.95 - flap],
        [-0.95, -0.9 - flap * 1.3],
        [-0.55, -0.62 - flap * 0.5],
        [-0.2, -0.4],
      ],
      shade,
    );
    const points: [number, number][] = [];
    for (let at = 0; at <= 10; at++) points.push([-1.2 + at * 0.17, -0.42 + wave(at) - (at > 6 ? (at - 6) * 0.05 : 0)]);
    for (const [at, point] of points.entries())
      disc(ctx, point[0], point[1], 0.03 + 0.016 * at * (at < 7 ? 1 : 0.72), main);
    line(ctx, points, main, 0.12);
    polygon(
      ctx,
      [
        [-1.2, -0.42 + wave(0)],
        [-1.42, -0.56],
        [-1.38, -0.3],
      ],
      shade,
    );
    const [hx, hy] = [0.66, -0.68 + wave(10)];
    oval(ctx, hx, hy, 0.2, 0.12, main, 0.1);
    oval(ctx, hx + 0.16, hy + 0.03, 0.14, 0.07, main);
    polygon(
      ctx,
      [
        [hx - 0.12, hy - 0.08],
        [hx - 0.32, hy - 0.26],
        [hx - 0.02, hy - 0.1],
      ],
      light,
    );
    disc(ctx, hx + 0.05, hy - 0.04, 0.03, ink);
    blob(
      ctx,
      [
        [0.16, -0.5],
        [0, -1 - flap],
        [-0.5, -1.15 - flap * 1.5],
        [-0.3, -0.72 - flap * 0.4],
        [-0.1, -0.42],
      ],
      light,
    );
    const breath = (pen.clock % 3) / 3;
    if (breath < 0.4)
      for (let at = 0; at < 5; at++)
        disc(
          ctx,
          hx + 0.34 + at * 0.1,
          hy + 0.05 + at * 0.015,
          0.04 + at * 0.018,
          at % 2 === 0 ? pen.lit('#ff9a3c') : pen.lit('#ffd25c'),
        );
  },
};
