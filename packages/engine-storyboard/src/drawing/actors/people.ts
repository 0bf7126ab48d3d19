import { box, disc, line, oval, polygon } from '../stage.ts';
import { swing } from './pen.ts';
import type { Pen } from './pen.ts';

export const people: Readonly<Record<string, (pen: Pen) => void>> = {
  person: (pen) => {
    const { ctx, main, shade, ink } = pen;
    const skin = pen.lit(
      ['#e8b48c', '#a8714b', '#f0c8a4', '#7a4f35'][(pen.stage.look.seed + pen.index) % 4] ?? '#e8b48c',
    );
    const trousers = pen.lit(['#2e3a54', '#4a3b4f', '#35504f'][pen.index % 3] ?? '#2e3a54');
    const step = swing(pen);
    limb(pen, 0.02, -0.48, -step * 0.5, 0.46, 0.085, trousers);
    limb(pen, 0, -0.74, step * 0.6, 0.3, 0.06, shade);
    limb(pen, 0, -0.48, step * 0.5, 0.46, 0.085, trousers);
    box(ctx, -0.1, -0.8, 0.2, 0.36, main, 0.08);
    limb(pen, 0.01, -0.74, -step * 0.6, 0.3, 0.06, main);
    disc(ctx, 0.015, -0.895, 0.088, skin);
    ctx.beginPath();
    ctx.arc(0, -0.91, 0.092, Math.PI * 0.72, Math.PI * 1.86);
    ctx.closePath();
    ctx.fillStyle = ink;
    ctx.fill();
  },
  astronaut: (pen) => {
    const { ctx, pale, shade, main } = pen;
    const sway = Math.sin(pen.clock * 1.1) * 0.2;
    const suit = pale;
    box(ctx, -0.24, -0.78, 0.2, 0.38, shade, 0.06);
    limb(pen, -0.04, -0.42, -0.2 + sway, 0.36, 0.12, suit);
    limb(pen, 0.08, -0.42, 0.25 - sway * 0.6, 0.36, 0.12, suit);
    box(ctx, -0.15, -0.76, 0.32, 0.4, suit, 0.12);
    limb(pen, 0.12, -0.68, 1.25 + sway, 0.28, 0.1, suit);
    limb(pen, -0.08, -0.68, -0.9 - sway, 0.28, 0.1, suit);
    disc(ctx, 0.02, -0.84, 0.165, suit);
    oval(ctx, 0.06, -0.84, 0.115, 0.1, pen.lit('#27406b'));
    oval(ctx, 0.09, -0.88, 0.04, 0.022, pen.lit('#cfe4ff'), -0.5);
    box(ctx, -0.06, -0.6, 0.14, 0.1, main, 0.02);
  },
  robot: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    const step = swing(pen) * 0.35;
    limb(pen, -0.09, -0.36, step, 0.32, 0.09, shade);
    limb(pen, 0.09, -0.36, -step, 0.32, 0.09, shade);
    limb(pen, 0.2, -0.62, -step * 1.4 + 0.1, 0.28, 0.075, shade);
    box(ctx, -0.2, -0.7, 0.4, 0.38, main, 0.06);
    limb(pen, -0.2, -0.62, step * 1.4 - 0.1, 0.28, 0.075, light);
    box(ctx, -0.17, -0.96, 0.34, 0.24, light, 0.06);
    box(ctx, -0.12, -0.91, 0.26, 0.12, ink, 0.05);
    const glow = pen.lit('#7ff0e0');
    const look = Math.sin(pen.clock * 1.3) * 0.02;
    disc(ctx, -0.04 + look, -0.85, 0.03, glow);
    disc(ctx, 0.07 + look, -0.85, 0.03, glow);
    line(
      ctx,
      [
        [0, -0.96],
        [0, -1.05],
      ],
      shade,
      0.02,
    );
    disc(ctx, 0, -1.07, 0.03, Math.sin(pen.clock * 5) > 0 ? pen.lit('#ff6b5c') : shade);
    box(ctx, -0.1, -0.62, 0.2, 0.12, shade, 0.03);
    disc(ctx, -0.04, -0.56, 0.022, glow);
    disc(ctx, 0.04, -0.56, 0.022, pen.lit('#ffc24a'));
  },
  snowman: (pen) => {
    const { ctx, ink, main } = pen;
    const snow = pen.lit('#f7fbff');
    const shade = pen.lit('#d5e2ee');
    for (const [y, size] of [
      [-0.24, 0.26],
      [-0.58, 0.2],
      [-0.84, 0.14],
    ] as const) {
      disc(ctx, 0, y, size, snow);
      ctx.beginPath();
      ctx.arc(0, y, size, -0.2, Math.PI * 0.6);
      ctx.closePath();
      ctx.fillStyle = shade;
      ctx.fill();
    }
    line(
      ctx,
      [
        [-0.16, -0.62],
        [-0.42, -0.78 + 0.03 * Math.sin(pen.clock * 3)],
      ],
      ink,
      0.025,
    );
    line(
      ctx,
      [
        [0.16, -0.62],
        [0.42, -0.76],
      ],
      ink,
      0.025,
    );
    polygon(
      ctx,
      [
        [0.04, -0.86],
        [0.26, -0.82],
        [0.04, -0.8],
      ],
      pen.lit('#ee8434'),
    );
    disc(ctx, 0.07, -0.9, 0.018, ink);
    disc(ctx, -0.04, -0.9, 0.018, ink);
    box(ctx, -0.15, -0.75, 0.3, 0.06, main, 0.03);
    box(ctx, 0.04, -0.73, 0.07, 0.18, main, 0.02);
    box(ctx, -0.18, -0.98, 0.36, 0.03, ink, 0.01);
    box(ctx, -0.11, -1.13, 0.22, 0.16, ink, 0.02);
  },
};

/** A leg or an arm that hangs from (x, y) at an angle, with a bend. */
function limb({ ctx }: Pen, x: number, y: number, angle: number, long: number, wide: number, fill: string): void {
  const [kx, ky] = [x + Math.sin(angle) * long * 0.5, y + Math.cos(angle) * long * 0.5];
  const bend = angle - Math.abs(angle) * 0.5;
  line(
    ctx,
    [
      [x, y],
      [kx, ky],
      [kx + Math.sin(bend) * long * 0.5, ky + Math.cos(bend) * long * 0.5],
    ],
    fill,
    wide,
  );
}
