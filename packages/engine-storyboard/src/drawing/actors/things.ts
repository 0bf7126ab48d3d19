import { drawPlanet } from '../outer-space.ts';
import { blob, box, disc, line, oval, polygon } from '../stage.ts';
import type { Pen } from './pen.ts';

export const things: Readonly<Record<string, (pen: Pen) => void>> = {
  toyballoon: (pen) => {
    const { ctx, main, light, shade } = pen;
    const drift = Math.sin(pen.clock * 1.4 + pen.index) * 0.06;
    line(
      ctx,
      [
        [0, -0.45],
        [drift, -0.2],
        [-drift, 0],
      ],
      pen.pale,
      0.014,
    );
    oval(ctx, 0, -0.72, 0.24, 0.29, main);
    polygon(
      ctx,
      [
        [-0.05, -0.41],
        [0, -0.46],
        [0.05, -0.41],
      ],
      shade,
    );
    oval(ctx, -0.09, -0.83, 0.05, 0.08, light, 0.5);
  },
  kite: (pen) => {
    const { ctx, main, light, shade } = pen;
    polygon(
      ctx,
      [
        [0, -1],
        [0.32, -0.66],
        [0, -0.2],
      ],
      shade,
    );
    polygon(
      ctx,
      [
        [0, -1],
        [-0.32, -0.66],
        [0, -0.2],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.32, -0.66],
        [0.32, -0.66],
        [0, -0.2],
      ],
      light,
    );
    const points: [number, number][] = [];
    for (let at = 0; at <= 8; at++)
      points.push([-at * 0.06 + Math.sin(pen.clock * 4 - at) * 0.03 * at * 0.4, -0.2 + at * 0.09]);
    line(ctx, points, pen.pale, 0.018);
    for (const [x, y] of points.filter((_, at) => at % 3 === 2))
      polygon(
        ctx,
        [
          [x - 0.06, y - 0.03],
          [x, y],
          [x + 0.06, y - 0.03],
          [x + 0.06, y + 0.03],
          [x, y],
          [x - 0.06, y + 0.03],
        ],
        main,
      );
  },
  planet: (pen) => drawPlanet(pen.stage, 0, -0.5, 0.5, pen.index, true, pen.colour),
  comet: (pen) => {
    const { ctx, light } = pen;
    const gradient = ctx.createLinearGradient(-2.6, -1.2, 0, -0.5);
    gradient.addColorStop(0, 'rgba(255,255,255,0)');
    gradient.addColorStop(1, light);
    polygon(
      ctx,
      [
        [0.1, -0.74],
        [-2.6, -1.2],
        [-0.05, -0.24],
      ],
      'rgba(0,0,0,0)',
    );
    ctx.fillStyle = gradient;
    ctx.fill();
    disc(ctx, 0, -0.5, 0.27, pen.main);
    disc(ctx, 0.06, -0.54, 0.17, light);
  },
  umbrella: (pen) => {
    const { ctx, main, light, ink } = pen;
    line(
      ctx,
      [
        [0, -0.9],
        [0, -0.1],
        [0.05, -0.02],
        [0.12, -0.08],
      ],
      ink,
      0.035,
    );
    ctx.beginPath();
    ctx.arc(0, -0.5, 0.55, Math.PI, 0);
    for (const x of [0.37, 0, -0.37]) ctx.quadraticCurveTo(x, -0.62, x - 0.18, -0.5);
    ctx.closePath();
    ctx.fillStyle = main;
    ctx.fill();
    blob(
      ctx,
      [
        [-0.18, -0.55],
        [-0.12, -0.9],
        [0, -1.03],
        [0.12, -0.9],
        [0.18, -0.55],
      ],
      light,
    );
  },
  cup: (pen) => {
    const { ctx, main, shade, pale } = pen;
    for (const at of [-1, 0, 1]) {
      const points: [number, number][] = [];
      for (let joint = 0; joint <= 7; joint++)
        points.push([at * 0.17 + Math.sin(pen.clock * 2 + joint * 0.8 + at) * 0.05, -0.84 - joint * 0.09]);
      ctx.globalAlpha = 0.4;
      line(ctx, points, pale, 0.045);
      ctx.globalAlpha = 1;
    }
    ctx.beginPath();
    ctx.arc(0.42, -0.44, 0.18, -Math.PI / 2, Math.PI / 2);
    ctx.lineWidth = 0.09;
    ctx.strokeStyle = shade;
    ctx.stroke();
    blob(
      ctx,
      [
        [-0.42, -0.86],
        [-0.42, -0.3],
        [-0.22, -0.02],
        [0.22, -0.02],
        [0.42, -0.3],
        [0.42, -0.86],
      ],
      main,
    );
    oval(ctx, 0, -0.72, 0.36, 0.09, pen.lit('#5a3a26'));
    oval(ctx, 0, 0, 0.62, 0.06, pale);
  },
  book: (pen) => {
    const { ctx, main, shade, pale } = pen;
    polygon(
      ctx,
      [
        [-0.85, -0.1],
        [0, 0.02],
        [0.85, -0.1],
        [0.85, -0.66],
        [0, -0.52],
        [-0.85, -0.66],
      ],
      main,
    );
    blob(
      ctx,
      [
        [-0.78, -0.2],
        [-0.4, -0.12],
        [0, -0.04],
        [0, -0.58],
        [-0.4, -0.72],
        [-0.78, -0.72],
      ],
      pale,
    );
    blob(
      ctx,
      [
        [0.78, -0.2],
        [0.4, -0.12],
        [0, -0.04],
        [0, -0.58],
        [0.4, -0.72],
        [0.78, -0.72],
      ],
      pen.lit('#ece4d4'),
    );
    for (let row = 0; row < 3; row++) {
      line(
        ctx,
        [
          [-0.58, -0.54 + row * 0.13],
          [-0.16, -0.47 + row * 0.13],
        ],
        shade,
        0.018,
      );
      line(
        ctx,
        [
          [0.58, -0.54 + row * 0.13],
          [0.16, -0.47 + row * 0.13],
        ],
        shade,
        0.018,
      );
    }
  },
  clock: (pen) => {
    const { ctx, main, pale, ink } = pen;
    disc(ctx, 0, -0.5, 0.5, main);
    disc(ctx, 0, -0.5, 0.41, pale);
    for (let hour = 0; hour < 12; hour++) {
      const angle = (hour / 12) * Math.PI * 2;
      disc(ctx, Math.cos(angle) * 0.34, -0.5 + Math.sin(angle) * 0.34, hour % 3 === 0 ? 0.03 : 0.015, ink);
    }
    const turn = pen.clock * 1.2 * pen.stage.look.pace;
    line(
      ctx,
      [
        [0, -0.5],
        [Math.sin(turn) * 0.3, -0.5 - Math.cos(turn) * 0.3],
      ],
      ink,
      0.028,
    );
    line(
      ctx,
      [
        [0, -0.5],
        [Math.sin(turn / 12 + 1) * 0.2, -0.5 - Math.cos(turn / 12 + 1) * 0.2],
      ],
      ink,
      0.042,
    );
    disc(ctx, 0, -0.5, 0.035, main);
  },
  guitar: (pen) => {
    const { ctx, main, shade, ink, pale } = pen;
    ctx.save();
    ctx.translate(0, -0.3);
    ctx.rotate(0.35);
    box(ctx, -0.035, -0.78, 0.07, 0.6, ink);
    box(ctx, -0.06, -0.86, 0.12, 0.12, ink, 0.02);
    oval(ctx, 0, 0.1, 0.27, 0.22, main);
    oval(ctx, 0, -0.14, 0.2, 0.16, main);
    disc(ctx, 0, -0.04, 0.08, shade);
    for (const x of [-0.02, 0, 0.02])
      line(
        ctx,
        [
          [x, -0.8],
          [x + Math.sin(pen.clock * 40 + x * 99) * 0.003, 0.16],
        ],
        pale,
        0.005,
      );
    box(ctx, -0.08, 0.14, 0.16, 0.03, ink);
    ctx.restore();
  },
  apple: (pen) => {
    const { ctx, main, shade, light } = pen;
    disc(ctx, -0.18, -0.42, 0.36, main);
    disc(ctx, 0.18, -0.42, 0.36, main);
    oval(ctx, 0, -0.26, 0.34, 0.26, main);
    oval(ctx, 0.3, -0.36, 0.16, 0.3, shade);
    oval(ctx, -0.28, -0.54, 0.07, 0.12, light, 0.4);
    line(
      ctx,
      [
        [0, -0.72],
        [0.05, -0.96],
      ],
      pen.lit('#5a3a26'),
      0.05,
    );
    oval(ctx, 0.2, -0.92, 0.17, 0.07, pen.lit('#5aa04f'), -0.3);
  },
};
