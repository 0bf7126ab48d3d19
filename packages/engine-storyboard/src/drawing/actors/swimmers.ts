import { blob, disc, line, oval, polygon } from '../stage.ts';
import { curve } from './curve.ts';
import type { Pen } from './pen.ts';

export const swimmers: Readonly<Record<string, (pen: Pen) => void>> = {
  fish: (pen) => {
    const { ctx, main, shade, light, ink, pale } = pen;
    const flick = Math.sin(pen.clock * 6 + pen.index * 2) * 0.16;
    polygon(
      ctx,
      [
        [-0.55, -0.5],
        [-1.05, -0.82 + flick],
        [-0.9, -0.5 + flick * 0.4],
        [-1.05, -0.18 + flick],
      ],
      shade,
    );
    blob(
      ctx,
      [
        [-0.2, -0.8],
        [0.1, -1.05],
        [0.35, -0.8],
        [0, -0.6],
      ],
      shade,
    );
    blob(
      ctx,
      [
        [-0.8, -0.5],
        [-0.2, -0.95],
        [0.5, -0.88],
        [0.95, -0.5],
        [0.5, -0.12],
        [-0.2, -0.08],
      ],
      main,
    );
    oval(ctx, 0.08, -0.5, 0.07, 0.3, pale);
    oval(ctx, -0.3, -0.5, 0.055, 0.22, pale);
    oval(ctx, 0.12, -0.3, 0.16, 0.08, light, 0.5 + flick);
    disc(ctx, 0.52, -0.6, 0.09, pale);
    disc(ctx, 0.55, -0.6, 0.05, ink);
  },
  whale: (pen) => {
    const { ctx, main, shade, pale, ink, light } = pen;
    const beat = Math.sin(pen.clock * 2) * 0.07;
    blob(
      ctx,
      [
        [-0.9, -0.42],
        [-1.5, -0.7 + beat],
        [-1.62, -1 + beat],
        [-1.25, -0.85 + beat],
        [-0.95, -0.66],
      ],
      shade,
    );
    blob(
      ctx,
      [
        [-1.4, -0.42],
        [-0.7, -0.72],
        [0.2, -0.95],
        [1.05, -0.8],
        [1.22, -0.4],
        [0.9, -0.06],
        [-0.3, -0.06],
      ],
      main,
    );
    blob(
      ctx,
      [
        [-0.2, -0.16],
        [0.9, -0.36],
        [1.22, -0.34],
        [0.9, -0.06],
        [0, -0.05],
      ],
      pale,
    );
    blob(
      ctx,
      [
        [0.2, -0.22],
        [0.02, 0.08 + beat],
        [-0.22, 0.14 + beat],
        [0.02, -0.2],
      ],
      shade,
    );
    disc(ctx, 0.82, -0.5, 0.05, ink);
    const spout = (pen.clock % 2.4) / 2.4;
    if (pen.stage.look.place !== 'underwater' && spout < 0.6) {
      for (const side of [-1, 1]) {
        const up = Math.sin((spout / 0.6) * Math.PI) * 0.6;
        curve(pen, 0.45, -0.88, 0.45, -0.95 - up, 0.45 + side * 0.25, -0.92 - up * 0.8, 0.05, light);
      }
    }
  },
  duck: (pen) => {
    const { ctx, main, shade, ink } = pen;
    blob(
      ctx,
      [
        [-0.85, -0.55],
        [-0.4, -0.42],
        [0.2, -0.5],
        [0.55, -0.3],
        [0.3, 0],
        [-0.4, 0],
      ],
      main,
    );
    blob(
      ctx,
      [
        [0.15, -0.3],
        [0.2, -0.8],
        [0.42, -1],
        [0.62, -0.86],
        [0.5, -0.6],
        [0.56, -0.25],
      ],
      main,
    );
    oval(ctx, -0.15, -0.28, 0.36, 0.14, shade, 0.1);
    polygon(
      ctx,
      [
        [0.58, -0.86],
        [0.85, -0.76],
        [0.56, -0.72],
      ],
      pen.lit('#f0a53a'),
    );
    disc(ctx, 0.47, -0.86, 0.035, ink);
  },
  jellyfish: (pen) => {
    const { ctx, main, light } = pen;
    const pulse = 1 + 0.08 * Math.sin(pen.clock * 3 + pen.index);
    for (let arm = -3; arm <= 3; arm++) {
      const points: [number, number][] = [];
      for (let joint = 0; joint <= 6; joint++)
        points.push([arm * 0.1 + Math.sin(pen.clock * 2.5 + joint * 0.9 + arm) * 0.03 * joint, -0.55 + joint * 0.1]);
      line(ctx, points, arm % 2 === 0 ? main : light, 0.03);
    }
    ctx.beginPath();
    ctx.ellipse(0, -0.56, 0.42 * pulse, 0.42, 0, Math.PI, 0);
    ctx.closePath();
    ctx.fillStyle = main;
    ctx.fill();
    oval(ctx, -0.12, -0.76, 0.12, 0.08, light, -0.5);
  },
  turtle: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    const paddle = Math.sin(pen.clock * 2.4) * 0.3;
    oval(ctx, 0.45, -0.2, 0.3, 0.1, light, 0.7 + paddle);
    oval(ctx, -0.5, -0.2, 0.22, 0.08, light, 2.4 - paddle);
    oval(ctx, 0.82, -0.5, 0.2, 0.15, light, -0.2);
    disc(ctx, 0.9, -0.54, 0.03, ink);
    blob(
      ctx,
      [
        [-0.8, -0.3],
        [-0.5, -0.75],
        [0, -0.92],
        [0.5, -0.72],
        [0.8, -0.3],
        [0, -0.16],
      ],
      main,
    );
    for (const x of [-0.35, 0, 0.35]) oval(ctx, x, -0.52, 0.13, 0.16, shade);
  },
};
