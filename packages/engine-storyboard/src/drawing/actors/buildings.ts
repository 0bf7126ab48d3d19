import { mix, rgb } from '../colour.ts';
import { blob, box, disc, glow, line, polygon } from '../stage.ts';
import { drawCottage, drawLamp } from '../town.ts';
import type { Pen } from './pen.ts';

export const buildings: Readonly<Record<string, (pen: Pen) => void>> = {
  house: (pen) => drawCottage(pen.stage, 0, 0, 0.95, pen.stage.palette.lit(rgb('#f3e7d0')), pen.colour),
  castle: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    const wall = pen.lit('#cfc6b8');
    const dark = pen.lit('#a89e92');
    const tower = (x: number, wide: number, high: number, fill: string) => {
      box(ctx, x - wide / 2, -high, wide, high, fill);
      box(ctx, x + wide * 0.2, -high, wide * 0.3, high, dark);
      polygon(
        ctx,
        [
          [x - wide * 0.68, -high + 0.01],
          [x, -high - wide * 1.5],
          [x + wide * 0.68, -high + 0.01],
        ],
        main,
      );
      polygon(
        ctx,
        [
          [x, -high - wide * 1.5],
          [x + wide * 0.68, -high + 0.01],
          [x + wide * 0.2, -high + 0.01],
        ],
        shade,
      );
      box(
        ctx,
        x - wide * 0.1,
        -high + wide * 0.4,
        wide * 0.2,
        wide * 0.4,
        pen.stage.palette.night ? '#ffd98a' : ink,
        wide * 0.1,
      );
      const wave = Math.sin(pen.clock * 4 + x * 9) * 0.012;
      polygon(
        ctx,
        [
          [x, -high - wide * 1.5 - 0.09],
          [x + 0.09, -high - wide * 1.5 - 0.06 + wave],
          [x, -high - wide * 1.5 - 0.03],
        ],
        light,
      );
      line(
        ctx,
        [
          [x, -high - wide * 1.5],
          [x, -high - wide * 1.5 - 0.09],
        ],
        ink,
        0.008,
      );
    };
    tower(0, 0.2, 0.66, wall);
    tower(-0.38, 0.16, 0.5, wall);
    tower(0.4, 0.16, 0.54, wall);
    box(ctx, -0.46, -0.36, 0.92, 0.38, wall);
    for (let at = 0; at < 8; at++) box(ctx, -0.46 + at * 0.122, -0.41, 0.07, 0.06, wall);
    tower(-0.16, 0.11, 0.44, dark);
    box(ctx, -0.08, -0.2, 0.18, 0.22, ink, 0.08);
  },
  lighthouse: (pen) => {
    const { ctx, main, shade, pale, ink, stage } = pen;
    const rock = mix(stage.palette.land[2], stage.palette.lit(rgb('#6b6660')), 0.6);
    blob(
      ctx,
      [
        [-0.42, 0.06],
        [-0.3, -0.08],
        [-0.05, -0.14],
        [0.25, -0.1],
        [0.42, 0.06],
        [0, 0.12],
      ],
      `rgb(${rock.map(Math.round).join(',')})`,
    );
    polygon(
      ctx,
      [
        [-0.13, -0.08],
        [-0.085, -0.78],
        [0.085, -0.78],
        [0.13, -0.08],
      ],
      pale,
    );
    for (const at of [0, 1]) {
      const [low, high] = [-0.2 - at * 0.3, -0.35 - at * 0.3];
      const half = (y: number) => 0.13 + (y + 0.08) * 0.064;
      polygon(
        ctx,
        [
          [-half(low), low],
          [-half(high), high],
          [half(high), high],
          [half(low), low],
        ],
        main,
      );
    }
    box(ctx, -0.12, -0.8, 0.24, 0.03, ink, 0.01);
    box(ctx, -0.06, -0.9, 0.12, 0.11, stage.palette.night ? '#ffe9a8' : pen.lit('#cfe6f0'));
    polygon(
      ctx,
      [
        [-0.09, -0.9],
        [0, -1],
        [0.09, -0.9],
      ],
      shade,
    );
    const turn = Math.cos(pen.clock * 1.1);
    const dim =
      stage.palette.night ||
      stage.look.time === 'sunset' ||
      stage.look.weather === 'fog' ||
      stage.look.weather === 'storm';
    if (dim) {
      for (const side of [-1, 1]) {
        const long = 1.9 * turn * side;
        const gradient = ctx.createLinearGradient(0, 0, long, 0);
        gradient.addColorStop(0, 'rgba(255,236,170,0.6)');
        gradient.addColorStop(1, 'rgba(255,236,170,0)');
        ctx.fillStyle = gradient;
        ctx.beginPath();
        ctx.moveTo(0, -0.865);
        ctx.lineTo(long, -0.98);
        ctx.lineTo(long, -0.72);
        ctx.lineTo(0, -0.84);
        ctx.fill();
      }
      glow(ctx, 0, -0.85, 0.35, stage.palette.glow, 0.8);
    }
  },
  windmill: (pen) => {
    const { ctx, main, shade, pale, ink } = pen;
    polygon(
      ctx,
      [
        [-0.17, 0],
        [-0.1, -0.6],
        [0.1, -0.6],
        [0.17, 0],
      ],
      pale,
    );
    polygon(
      ctx,
      [
        [0.02, 0],
        [0.02, -0.6],
        [0.1, -0.6],
        [0.17, 0],
      ],
      pen.lit('#d9cfbd'),
    );
    polygon(
      ctx,
      [
        [-0.13, -0.59],
        [0, -0.76],
        [0.13, -0.59],
      ],
      main,
    );
    box(ctx, -0.04, -0.15, 0.08, 0.16, shade, 0.02);
    const turn = pen.clock * 1.4 * Math.max(0.5, pen.stage.look.pace);
    for (let blade = 0; blade < 4; blade++) {
      const angle = turn + (blade * Math.PI) / 2;
      ctx.save();
      ctx.translate(0, -0.62);
      ctx.rotate(angle);
      line(
        ctx,
        [
          [0, 0],
          [0, -0.42],
        ],
        ink,
        0.014,
      );
      box(ctx, 0.005, -0.42, 0.09, 0.33, main, 0.01);
      ctx.restore();
    }
    disc(ctx, 0, -0.62, 0.025, ink);
  },
  tower: (pen) => {
    const { ctx, main, shade, light } = pen;
    polygon(
      ctx,
      [
        [-0.2, 0],
        [-0.06, -0.42],
        [-0.025, -0.94],
        [0.025, -0.94],
        [0.06, -0.42],
        [0.2, 0],
        [0.11, 0],
        [0.05, -0.12],
        [-0.05, -0.12],
        [-0.11, 0],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [0, -0.12],
        [0, -0.94],
        [0.025, -0.94],
        [0.06, -0.42],
        [0.2, 0],
        [0.11, 0],
        [0.05, -0.12],
      ],
      shade,
    );
    for (const [y, half] of [
      [-0.22, 0.15],
      [-0.44, 0.08],
      [-0.8, 0.05],
    ] as const) {
      box(ctx, -half, y, half * 2, 0.025, light, 0.008);
    }
    line(
      ctx,
      [
        [0, -0.94],
        [0, -1.03],
      ],
      shade,
      0.012,
    );
    disc(ctx, 0, -1.03, 0.013, Math.sin(pen.clock * 4) > 0 ? '#ff6b5c' : shade);
  },
  tent: (pen) => {
    const { ctx, main, shade, light, stage } = pen;
    polygon(
      ctx,
      [
        [-0.75, 0],
        [-0.05, -1],
        [0.75, 0],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.05, -1],
        [0.75, 0],
        [0.3, 0],
      ],
      shade,
    );
    polygon(
      ctx,
      [
        [-0.25, 0],
        [-0.05, -0.7],
        [0.16, 0],
      ],
      stage.palette.night ? '#ffd98a' : light,
    );
    if (stage.palette.night) glow(ctx, -0.05, -0.2, 0.7, stage.palette.glow, 0.4);
  },
  pyramid: (pen) => {
    const { ctx, main, shade } = pen;
    polygon(
      ctx,
      [
        [-0.95, 0],
        [-0.08, -1],
        [0.3, 0.02],
      ],
      main,
    );
    polygon(
      ctx,
      [
        [-0.08, -1],
        [0.95, 0],
        [0.3, 0.02],
      ],
      shade,
    );
    for (let at = 1; at < 8; at++) {
      const y = -1 + at * 0.125;
      const part = (y + 1) / 1;
      line(
        ctx,
        [
          [-0.08 - 0.87 * part, y],
          [-0.08 + 0.38 * part, y + 0.02 * part],
        ],
        shade,
        0.006,
      );
    }
  },
  lamp: (pen) => drawLamp(pen.stage, 0, 0, 1, pen.colour),
};
