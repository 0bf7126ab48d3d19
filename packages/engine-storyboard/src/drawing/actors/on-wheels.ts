import { blob, box, disc, line, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

function wheel({ ctx, clock, stride, pale }: Pen, x: number, radius: number, tyre: string): void {
  disc(ctx, x, -radius, radius, tyre);
  disc(ctx, x, -radius, radius * 0.55, pale);
  const turn = clock * 9 * stride;
  for (const spoke of [0, Math.PI / 2]) {
    const [dx, dy] = [Math.cos(turn + spoke) * radius * 0.5, Math.sin(turn + spoke) * radius * 0.5];
    line(
      ctx,
      [
        [x - dx, -radius - dy],
        [x + dx, -radius + dy],
      ],
      tyre,
      radius * 0.12,
    );
  }
}

export const onWheels: Readonly<Record<string, (pen: Pen) => void>> = {
  car: (pen) => {
    const { ctx, main, shade, light } = pen;
    blob(
      ctx,
      [
        [-0.55, -0.55],
        [-0.3, -1.02],
        [0.32, -1.02],
        [0.66, -0.55],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.36, -0.62],
        [-0.22, -0.9],
        [0.02, -0.9],
        [0.02, -0.62],
      ],
      pen.lit('#bfe0ee'),
    );
    polygon(
      ctx,
      [
        [0.09, -0.62],
        [0.09, -0.9],
        [0.26, -0.9],
        [0.44, -0.62],
      ],
      pen.lit('#bfe0ee'),
    );
    box(ctx, -1, -0.64, 2, 0.44, main, 0.16);
    box(ctx, -1, -0.34, 2, 0.14, shade, 0.06);
    box(ctx, 0.86, -0.55, 0.13, 0.11, '#fff1c0', 0.04);
    box(ctx, -0.99, -0.55, 0.09, 0.11, pen.lit('#e0483c'), 0.03);
    box(ctx, -0.7, -0.6, 1.4, 0.03, light);
    wheel(pen, -0.56, 0.22, pen.lit('#23262d'));
    wheel(pen, 0.56, 0.22, pen.lit('#23262d'));
  },
  bus: (pen) => {
    const { ctx, main, shade, light } = pen;
    box(ctx, -1.05, -1, 2.1, 0.86, main, 0.1);
    box(ctx, -1.05, -0.34, 2.1, 0.2, shade, 0.05);
    for (let at = 0; at < 5; at++) box(ctx, -0.94 + at * 0.34, -0.88, 0.28, 0.3, pen.lit('#bfe0ee'), 0.04);
    box(ctx, 0.78, -0.88, 0.22, 0.5, pen.lit('#d5ecf5'), 0.04);
    box(ctx, -1, -0.48, 1.7, 0.06, light);
    wheel(pen, -0.62, 0.18, pen.lit('#23262d'));
    wheel(pen, 0.62, 0.18, pen.lit('#23262d'));
  },
  train: (pen) => {
    const { ctx, main, shade, light, pale } = pen;
    line(
      ctx,
      [
        [-9, 0.02],
        [9, 0.02],
      ],
      pen.lit('#5a5148'),
      0.05,
    );
    for (let puff = 0; puff < 7; puff++) {
      const age = (pen.clock * 0.6 + puff / 7) % 1;
      ctx.globalAlpha = 0.6 * (1 - age);
      disc(ctx, 0.78 - age * 1.6, -1.15 - age * 0.4, 0.08 + age * 0.2, pale);
    }
    ctx.globalAlpha = 1;
    for (const car of [1, 2]) {
      const x = -0.62 - car * 1.5;
      box(ctx, x, -0.8, 1.36, 0.62, car === 1 ? light : main, 0.06);
      for (let at = 0; at < 4; at++)
        box(
          ctx,
          x + 0.12 + at * 0.31,
          -0.66,
          0.2,
          0.22,
          pen.stage.palette.night ? '#ffe2a0' : pen.lit('#bfe0ee'),
          0.03,
        );
      box(ctx, x - 0.12, -0.3, 0.14, 0.06, shade);
      wheel(pen, x + 0.3, 0.15, pen.lit('#23262d'));
      wheel(pen, x + 1.06, 0.15, pen.lit('#23262d'));
    }
    box(ctx, -0.65, -1.02, 0.6, 0.84, main, 0.04);
    box(ctx, -0.72, -1.08, 0.74, 0.1, shade, 0.03);
    box(ctx, -0.5, -0.9, 0.32, 0.26, pen.lit('#bfe0ee'), 0.04);
    box(ctx, -0.1, -0.76, 1.1, 0.5, main, 0.22);
    box(ctx, 0.68, -1.08, 0.18, 0.36, shade, 0.02);
    box(ctx, 0.3, -0.88, 0.16, 0.14, shade, 0.05);
    polygon(
      ctx,
      [
        [0.9, -0.24],
        [1.16, 0],
        [0.7, 0],
      ],
      shade,
    );
    disc(ctx, 0.98, -0.56, 0.07, '#fff1c0');
    for (const x of [-0.4, 0, 0.36, 0.72]) wheel(pen, x, x < -0.2 ? 0.2 : 0.17, pen.lit('#23262d'));
    line(
      ctx,
      [
        [-0.4, -0.18],
        [0.36 + 0.08 * Math.sin(pen.clock * 9 * pen.stride), -0.17],
      ],
      light,
      0.05,
    );
  },
  bicycle: (pen) => {
    const { ctx, main, ink } = pen;
    const turn = pen.clock * 7 * pen.stride;
    for (const x of [-0.42, 0.42]) {
      ctx.beginPath();
      ctx.arc(x, -0.28, 0.26, 0, Math.PI * 2);
      ctx.lineWidth = 0.035;
      ctx.strokeStyle = ink;
      ctx.stroke();
      for (let spoke = 0; spoke < 4; spoke++) {
        const angle = turn + (spoke * Math.PI) / 4;
        line(
          ctx,
          [
            [x - Math.cos(angle) * 0.25, -0.28 - Math.sin(angle) * 0.25],
            [x + Math.cos(angle) * 0.25, -0.28 + Math.sin(angle) * 0.25],
          ],
          ink,
          0.008,
        );
      }
    }
    line(
      ctx,
      [
        [-0.42, -0.28],
        [-0.1, -0.66],
        [0.3, -0.66],
        [0, -0.28],
        [-0.42, -0.28],
      ],
      main,
      0.045,
    );
    line(
      ctx,
      [
        [0, -0.28],
        [-0.14, -0.76],
      ],
      main,
      0.045,
    );
    line(
      ctx,
      [
        [0.42, -0.28],
        [0.26, -0.82],
        [0.38, -0.88],
      ],
      main,
      0.045,
    );
    box(ctx, -0.25, -0.8, 0.22, 0.05, ink, 0.02);
    const [px, py] = [Math.cos(turn) * 0.1, Math.sin(turn) * 0.1];
    line(
      ctx,
      [
        [-px, -0.28 - py],
        [px, -0.28 + py],
      ],
      ink,
      0.03,
    );
    // Its rider.
    const skin = pen.lit('#d9a07a');
    line(
      ctx,
      [
        [-0.12, -0.84],
        [0.1, -0.6],
        [px, -0.26 + py],
      ],
      pen.lit('#2e3a54'),
      0.075,
    );
    line(
      ctx,
      [
        [-0.12, -0.86],
        [0.06, -1.16],
      ],
      main,
      0.15,
    );
    line(
      ctx,
      [
        [0.06, -1.14],
        [0.34, -0.9],
      ],
      main,
      0.055,
    );
    disc(ctx, 0.12, -1.32, 0.1, skin);
    ctx.beginPath();
    ctx.arc(0.11, -1.34, 0.11, Math.PI, 0);
    ctx.fillStyle = ink;
    ctx.fill();
  },
};
