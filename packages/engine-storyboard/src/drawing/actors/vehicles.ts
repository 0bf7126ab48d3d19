import { blob, box, disc, line, oval, polygon } from '../stage.ts';
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

export const vehicles: Readonly<Record<string, (pen: Pen) => void>> = {
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
