import { disc, oval, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

export const shapes: Readonly<Record<string, (pen: Pen) => void>> = {
  ball: (pen) => {
    const { ctx, main, shade, light } = pen;
    disc(ctx, 0, -0.5, 0.5, shade);
    ctx.save();
    ctx.beginPath();
    ctx.arc(0, -0.5, 0.5, 0, Math.PI * 2);
    ctx.clip();
    disc(ctx, -0.07, -0.58, 0.5, main);
    ctx.translate(0, -0.5);
    ctx.rotate(pen.clock * 3 * pen.stride);
    oval(ctx, 0, 0, 0.16, 0.7, light);
    ctx.restore();
    oval(ctx, -0.2, -0.74, 0.1, 0.065, pen.pale, -0.6);
  },
  cube: (pen) => {
    const { ctx, main, shade, light } = pen;
    polygon(
      ctx,
      [
        [-0.55, -0.72],
        [0, -0.5],
        [0, 0.02],
        [-0.55, -0.22],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [0.55, -0.72],
        [0, -0.5],
        [0, 0.02],
        [0.55, -0.22],
      ],
      shade,
    );
    polygon(
      ctx,
      [
        [-0.55, -0.72],
        [0, -0.98],
        [0.55, -0.72],
        [0, -0.5],
      ],
      light,
    );
  },
  triangle: (pen) => {
    polygon(
      pen.ctx,
      [
        [-0.58, 0],
        [0, -1],
        [0.58, 0],
      ],
      pen.main,
    );
    polygon(
      pen.ctx,
      [
        [0, -1],
        [0.58, 0],
        [0.12, 0],
      ],
      pen.shade,
    );
  },
  star: (pen) => {
    const points = Array.from({ length: 10 }, (_, at): [number, number] => {
      const [angle, radius] = [(at / 10) * Math.PI * 2 - Math.PI / 2, at % 2 === 0 ? 0.52 : 0.23];
      return [Math.cos(angle) * radius, -0.5 + Math.sin(angle) * radius];
    });
    polygon(pen.ctx, points, pen.main);
  },
  heart: (pen) => {
    const { ctx, main, light } = pen;
    const beat = 1 + 0.06 * Math.max(0, Math.sin(pen.clock * 6)) ** 3;
    ctx.save();
    ctx.translate(0, -0.5);
    ctx.scale(beat, beat);
    ctx.beginPath();
    ctx.moveTo(0, 0.48);
    ctx.bezierCurveTo(-0.75, 0, -0.5, -0.55, -0.22, -0.5);
    ctx.bezierCurveTo(-0.08, -0.48, 0, -0.36, 0, -0.28);
    ctx.bezierCurveTo(0, -0.36, 0.08, -0.48, 0.22, -0.5);
    ctx.bezierCurveTo(0.5, -0.55, 0.75, 0, 0, 0.48);
    ctx.fillStyle = main;
    ctx.fill();
    oval(ctx, -0.24, -0.3, 0.07, 0.11, light, 0.6);
    ctx.restore();
  },
};
