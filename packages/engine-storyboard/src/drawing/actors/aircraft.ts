import { blob, box, disc, line, oval, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

function flame(pen: Pen, x: number, y: number, long: number, half: number): void {
  const flicker = 1 + 0.18 * Math.sin(pen.clock * 31) + 0.1 * Math.sin(pen.clock * 47);
  for (const [scale, colour] of [
    [1, '#ff7a2f'],
    [0.66, '#ffb63f'],
    [0.36, '#fff0b0'],
  ] as const) {
    blob(
      pen.ctx,
      [
        [x - half * scale, y - 0.02],
        [x - half * 0.8 * scale, y + long * 0.4 * scale],
        [x, y + long * scale * flicker],
        [x + half * 0.8 * scale, y + long * 0.4 * scale],
        [x + half * scale, y - 0.02],
      ],
      colour,
    );
  }
}

export const aircraft: Readonly<Record<string, (pen: Pen) => void>> = {
  plane: (pen) => {
    const { ctx, main, shade, pale, light } = pen;
    polygon(
      ctx,
      [
        [-0.9, -0.55],
        [-1.15, -1],
        [-0.9, -1],
        [-0.6, -0.56],
      ],
      main,
    );
    blob(
      ctx,
      [
        [-1.15, -0.6],
        [-0.2, -0.72],
        [0.9, -0.7],
        [1.25, -0.46],
        [0.9, -0.3],
        [-0.3, -0.32],
      ],
      pale,
    );
    polygon(
      ctx,
      [
        [0.1, -0.5],
        [-0.5, 0],
        [-0.75, 0],
        [-0.3, -0.46],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [0.05, -0.62],
        [-0.3, -0.95],
        [-0.48, -0.95],
        [-0.25, -0.6],
      ],
      shade,
    );
    for (let at = 0; at < 6; at++) disc(ctx, -0.45 + at * 0.2, -0.55, 0.045, pen.lit('#4a6d94'));
    oval(ctx, 0.95, -0.55, 0.12, 0.06, pen.lit('#4a6d94'), 0.3);
    line(
      ctx,
      [
        [-1.3, -0.5],
        [-2.6, -0.5],
      ],
      light,
      0.03,
    );
  },
  balloon: (pen) => {
    const { ctx, main, light, shade, ink } = pen;
    line(
      ctx,
      [
        [-0.12, -0.42],
        [-0.075, -0.16],
      ],
      ink,
      0.012,
    );
    line(
      ctx,
      [
        [0.12, -0.42],
        [0.075, -0.16],
      ],
      ink,
      0.012,
    );
    box(ctx, -0.085, -0.16, 0.17, 0.14, pen.lit('#8a5a3b'), 0.03);
    const skin = (half: number, fill: string) => {
      ctx.beginPath();
      ctx.moveTo(-half * 0.34, -0.38);
      ctx.bezierCurveTo(-half * 0.9, -0.52, -half * 1.06, -0.66, -half, -0.72);
      ctx.arc(0, -0.7, half, Math.PI, 0);
      ctx.bezierCurveTo(half * 1.06, -0.66, half * 0.9, -0.52, half * 0.34, -0.38);
      ctx.closePath();
      ctx.fillStyle = fill;
      ctx.fill();
    };
    ctx.save();
    skin(0.33, main);
    ctx.clip();
    for (const [x, wide, fill] of [
      [-0.2, 0.1, light],
      [0, 0.11, light],
      [0.2, 0.1, light],
    ] as const) {
      oval(ctx, x, -0.7, wide * 0.55, 0.4, fill);
    }
    ctx.globalAlpha = 0.5;
    oval(ctx, 0.3, -0.66, 0.17, 0.42, shade);
    ctx.restore();
    if (Math.sin(pen.clock * 3.1 + pen.index) > 0.3) disc(ctx, 0, -0.36, 0.035, '#ffd27a');
  },
  ufo: (pen) => {
    const { ctx, main, shade, light } = pen;
    ctx.globalAlpha = 0.2 + 0.06 * Math.sin(pen.clock * 6);
    polygon(
      ctx,
      [
        [-0.3, -0.2],
        [0.3, -0.2],
        [0.85, 1.9],
        [-0.85, 1.9],
      ],
      pen.lit('#c9ffe9'),
    );
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(0, -0.5, 0.42, Math.PI, 0);
    ctx.closePath();
    ctx.fillStyle = pen.lit('#bfe9f2');
    ctx.fill();
    oval(ctx, 0, -0.38, 1.05, 0.26, main);
    oval(ctx, 0, -0.3, 0.9, 0.16, shade);
    for (let at = 0; at < 6; at++)
      disc(
        ctx,
        -0.75 + at * 0.3,
        -0.34 + Math.abs(at - 2.5) * -0.02,
        0.06,
        (at + Math.floor(pen.clock * 5)) % 3 === 0 ? '#fff3b0' : light,
      );
  },
  rocket: (pen) => {
    const { ctx, main, shade, pale } = pen;
    flame(pen, 0, -0.12, 0.42, 0.1);
    polygon(
      ctx,
      [
        [-0.1, -0.36],
        [-0.27, -0.06],
        [-0.1, -0.14],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [0.1, -0.36],
        [0.27, -0.06],
        [0.1, -0.14],
      ],
      shade,
    );
    blob(
      ctx,
      [
        [-0.14, -0.12],
        [-0.2, -0.5],
        [-0.12, -0.85],
        [0, -1.06],
        [0.12, -0.85],
        [0.2, -0.5],
        [0.14, -0.12],
      ],
      pale,
    );
    ctx.save();
    ctx.beginPath();
    ctx.rect(-0.3, -1.1, 0.6, 0.36);
    ctx.clip();
    blob(
      ctx,
      [
        [-0.14, -0.12],
        [-0.2, -0.5],
        [-0.12, -0.85],
        [0, -1.06],
        [0.12, -0.85],
        [0.2, -0.5],
        [0.14, -0.12],
      ],
      main,
    );
    ctx.restore();
    disc(ctx, 0, -0.58, 0.085, shade);
    disc(ctx, 0, -0.58, 0.06, pen.lit('#7cc4e8'));
    box(ctx, -0.13, -0.17, 0.26, 0.05, shade, 0.02);
    polygon(
      ctx,
      [
        [-0.025, -0.34],
        [0.025, -0.34],
        [0.03, -0.06],
        [-0.03, -0.06],
      ],
      main,
    );
  },
  satellite: (pen) => {
    const { ctx, main, light, shade } = pen;
    for (const side of [-1, 1]) {
      box(ctx, side * 0.6 - 0.36, -0.68, 0.72, 0.36, pen.lit('#3d5fae'));
      for (let at = 0; at < 3; at++) box(ctx, side * 0.6 - 0.14 + (at - 0.5) * 0.22 - 0.02, -0.68, 0.025, 0.36, light);
    }
    box(ctx, -0.2, -0.8, 0.4, 0.6, main, 0.05);
    box(ctx, 0.05, -0.8, 0.15, 0.6, shade, 0.05);
    oval(ctx, 0, -0.98, 0.24, 0.1, light);
    disc(ctx, 0, -0.3, 0.04, Math.sin(pen.clock * 5) > 0 ? '#ff6b5c' : shade);
  },
};
