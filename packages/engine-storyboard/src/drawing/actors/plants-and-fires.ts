import { rgb } from '../colour.ts';
import { drawCactus, drawFlower, drawMushroom, drawPalm, drawPine, drawRoundTree } from '../plants.ts';
import { blob, box, glow, line, oval } from '../stage.ts';
import type { Pen } from './pen.ts';

const sway = (pen: Pen) => Math.sin(pen.clock * 1.5 + pen.index) * 0.02;

/** A flame on (0, 0), a unit high. */
function fire(pen: Pen): void {
  const { ctx, clock } = pen;
  glow(ctx, 0, -0.35, 1.7, rgb('#ff9a3c'), 0.5);
  for (const [scale, colour, speed] of [
    [1, '#f2552c', 9],
    [0.72, '#ff9434', 11],
    [0.45, '#ffd25c', 13],
    [0.24, '#fff3c4', 15],
  ] as const) {
    const lick = Math.sin(clock * speed + pen.index) * 0.06;
    blob(
      ctx,
      [
        [-0.34 * scale, -0.12],
        [-0.3 * scale + lick, -0.5 * scale],
        [lick * 1.5, -1.08 * scale],
        [0.26 * scale + lick, -0.55 * scale],
        [0.34 * scale, -0.12],
        [0, 0],
      ],
      colour,
    );
  }
}

export const plantsAndFires: Readonly<Record<string, (pen: Pen) => void>> = {
  tree: (pen) => drawRoundTree(pen.ctx, 0, 0, 1, pen.colour, rgb('#4a3324'), sway(pen)),
  pine: (pen) => drawPine(pen.ctx, 0, 0, 1, pen.colour, rgb('#4a3324'), sway(pen)),
  palm: (pen) => drawPalm(pen.ctx, -0.1, 0, 1, pen.colour, rgb('#4a3324'), sway(pen)),
  cactus: (pen) => drawCactus(pen.ctx, 0, 0, 1, pen.colour),
  flower: (pen) => drawFlower(pen.ctx, 0, 0, 1, pen.colour, pen.stage.palette.lit(rgb('#4c9f5a')), sway(pen) * 2),
  mushroom: (pen) => drawMushroom(pen.ctx, 0, 0, 1, pen.colour, pen.stage.palette.lit(rgb('#f7efe0'))),
  fire: (pen) => {
    const log = pen.lit('#6b4630');
    fire(pen);
    line(
      pen.ctx,
      [
        [-0.42, 0.02],
        [0.36, -0.12],
      ],
      log,
      0.11,
    );
    line(
      pen.ctx,
      [
        [0.42, 0.02],
        [-0.36, -0.12],
      ],
      pen.lit('#54361f'),
      0.11,
    );
  },
  candle: (pen) => {
    box(pen.ctx, -0.13, -0.62, 0.26, 0.62, pen.pale, 0.03);
    box(pen.ctx, -0.3, -0.05, 0.6, 0.06, pen.main, 0.03);
    pen.ctx.save();
    pen.ctx.translate(0, -0.62);
    pen.ctx.scale(0.33, 0.36);
    fire(pen);
    pen.ctx.restore();
  },
  lantern: (pen) => {
    const { ctx, main, light, stage } = pen;
    glow(ctx, 0, -0.5, 1.1, stage.palette.glow, 0.5 + 0.06 * Math.sin(pen.clock * 7 + pen.index));
    blob(
      ctx,
      [
        [-0.28, -0.02],
        [-0.4, -0.5],
        [-0.26, -0.98],
        [0.26, -0.98],
        [0.4, -0.5],
        [0.28, -0.02],
      ],
      main,
    );
    oval(ctx, 0, -0.24, 0.2, 0.24, '#ffe2a0');
    box(ctx, -0.24, -0.08, 0.48, 0.07, light, 0.03);
  },
};
