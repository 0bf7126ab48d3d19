import { blob, disc, line, oval, polygon } from '../stage.ts';
import { builds } from './builds.ts';
import type { Build, FourLegged } from './builds.ts';
import { curve } from './curve.ts';
import { swing } from './pen.ts';
import type { Pen } from './pen.ts';

export function drawFourLegged(pen: Pen, kind: FourLegged): void {
  const { ctx, main, shade, ink, pale, light } = pen;
  const build: Build = builds[kind];
  const { leg, body, thick, limb, extra } = build;
  const half = body / 2;
  const lift = 0.014 * Math.abs(swing(pen));
  const back = -leg - thick - lift;
  const legs = (offset: number, fill: string, phase: number) => {
    for (const [x, at] of [
      [-half * 0.76, phase],
      [half * 0.76, phase + Math.PI * 0.6],
    ] as const) {
      const step = swing(pen, at) * leg * 0.42;
      const knee = swing(pen, at + 1) * leg * 0.12;
      line(
        ctx,
        [
          [x + offset, -leg - thick * 0.4],
          [x + offset + step * 0.4 + knee, -leg * 0.5],
          [x + offset + step, -limb * 0.4],
        ],
        fill,
        limb,
      );
    }
  };
  const [tx, ty] = [-half * 0.95, back + thick * 0.25];
  const wag = swing(pen, 2) * 0.05 + Math.sin(pen.clock * 2 + pen.index) * 0.02;
  ctx.lineCap = 'round';
  if (build.tail === 'long') curve(pen, tx, ty, tx - 0.24, ty - 0.02, tx - 0.26 + wag, ty - 0.3, 0.06, main);
  if (build.tail === 'tuft') curve(pen, tx, ty, tx - 0.1, ty + 0.02, tx - 0.09 + wag, ty + 0.26, 0.025, shade);
  if (build.tail === 'hair')
    blob(
      ctx,
      [
        [tx, ty - 0.02],
        [tx - 0.14, ty + 0.03],
        [tx - 0.17 + wag, ty + 0.36],
        [tx - 0.06, ty + 0.16],
      ],
      shade,
    );
  if (build.tail === 'short') curve(pen, tx, ty + 0.02, tx - 0.06, ty - 0.02, tx - 0.1 + wag, ty - 0.08, 0.06, main);
  if (build.tail === 'bushy') {
    oval(ctx, tx - 0.17, ty + 0.06 + wag, 0.23, 0.085, main, -0.35);
    oval(ctx, tx - 0.3, ty + 0.11 + wag, 0.08, 0.06, pale, -0.35);
  }
  legs(0.05, shade, Math.PI);
  // Body.
  const wool = extra === 'wool';
  if (wool) {
    for (let puff = 0; puff < 8; puff++) {
      const angle = (puff / 8) * Math.PI * 2;
      disc(ctx, Math.cos(angle) * half * 0.8, back + thick / 2 + Math.sin(angle) * thick * 0.32, thick * 0.34, pale);
    }
    oval(ctx, 0, back + thick / 2, half, thick * 0.5, pale);
  } else {
    ctx.beginPath();
    ctx.roundRect(-half, back, body, thick, thick * 0.48);
    ctx.fillStyle = main;
    ctx.fill();
  }
  if (extra === 'hump')
    blob(
      ctx,
      [
        [-half * 0.7, back + 0.06],
        [-0.1, back - 0.2],
        [0.02, back - 0.2],
        [half * 0.6, back + 0.06],
      ],
      main,
    );
  if (extra === 'spots') {
    for (const [x, y, size] of [
      [-0.22, 0.35, 0.22],
      [0.1, 0.55, 0.2],
      [0.3, 0.25, 0.14],
      [-0.05, 0.2, 0.12],
    ] as const) {
      oval(ctx, x * body * 1.1, back + thick * y, size * thick * 0.9, size * thick * 0.7, shade);
    }
  }
  legs(-0.03, wool ? ink : main, 0);
  drawHead(pen, build, half, back);
  if (kind === 'rabbit') disc(ctx, -half, back + thick * 0.5, 0.08, light);
}

function drawHead(pen: Pen, build: Build, half: number, back: number): void {
  const { ctx, main, shade, ink, pale, light } = pen;
  const { thick, neck, reach, head, snout, extra, ears } = build;
  const nod = swing(pen, 0.6) * 0.012;
  const [hx, hy] = [half + reach * 0.75 - head * 0.2, back - neck + thick * 0.25 + nod];
  const fur = extra === 'wool' ? ink : main;
  if (extra === 'horse') {
    blob(
      ctx,
      [
        [half * 0.35, back + 0.06],
        [hx - 0.12, hy - 0.1],
        [hx - 0.02, hy - 0.12],
        [half * 0.75, back + 0.12],
      ],
      shade,
    );
  }
  polygon(
    ctx,
    [
      [half * 0.3, back + 0.02],
      [hx - head * 0.75, hy],
      [hx + head * 0.5, hy + head * 0.5],
      [half * 0.98, back + thick * 0.62],
    ],
    fur,
  );
  if (extra === 'mane') disc(ctx, hx - head * 0.25, hy + head * 0.1, head * 1.7, shade);
  if (ears === 'big') oval(ctx, hx - head * 0.75, hy + head * 0.3, head * 0.75, head * 1.05, shade, 0.15 + nod * 6);
  if (ears === 'pointed') {
    for (const [dx, fill] of [
      [-0.75, shade],
      [0.05, fur],
    ] as const) {
      polygon(
        ctx,
        [
          [hx + head * dx, hy - head * 0.55],
          [hx + head * (dx + 0.25), hy - head * 1.65],
          [hx + head * (dx + 0.75), hy - head * 0.6],
        ],
        fill,
      );
    }
  }
  if (ears === 'round') for (const dx of [-0.7, 0.4]) disc(ctx, hx + head * dx, hy - head * 0.85, head * 0.36, shade);
  if (ears === 'long') {
    for (const [dx, fill] of [
      [-0.45, shade],
      [0.05, fur],
    ] as const) {
      oval(ctx, hx + head * dx, hy - head * 1.7, head * 0.27, head * 1.05, fill, -0.2 + nod * 4);
    }
  }
  if (ears === 'small') oval(ctx, hx - head * 0.55, hy - head * 0.95, head * 0.24, head * 0.6, shade, -0.5);
  oval(ctx, hx, hy, head * 1.02, head * 0.92, fur);
  // Muzzle.
  if (extra === 'trunk') {
    const sway = Math.sin(pen.clock * 1.8) * 0.05;
    curve(
      pen,
      hx + head * 0.6,
      hy + head * 0.1,
      hx + head * 1.7,
      hy + head * 0.4,
      hx + head * 1.3 + sway,
      hy + head * 2.6,
      head * 0.5,
      fur,
    );
    curve(
      pen,
      hx + head * 0.7,
      hy + head * 0.6,
      hx + head * 1.2,
      hy + head * 1.1,
      hx + head * 1.75,
      hy + head * 0.9,
      head * 0.16,
      pale,
    );
  } else if (snout > 0.06) {
    oval(ctx, hx + head * 0.5 + snout * 0.5, hy + head * 0.36, snout * 0.72, head * 0.5, build.pale ? pale : fur, 0.25);
    disc(ctx, hx + head * 0.5 + snout * 1.08, hy + head * 0.34, head * 0.17, ink);
  } else {
    oval(ctx, hx + head * 0.55, hy + head * 0.38, head * 0.42, head * 0.32, light);
    disc(ctx, hx + head * 0.86, hy + head * 0.24, head * 0.13, ink);
  }
  const blink = Math.sin(pen.clock * 1.9 + pen.index) > 0.985;
  oval(
    ctx,
    hx + head * 0.32,
    hy - head * 0.16,
    head * 0.13,
    head * (blink ? 0.03 : 0.15),
    extra === 'wool' ? pale : ink,
  );
  if (ears === 'floppy')
    oval(
      ctx,
      hx - head * 0.55,
      hy + head * 0.12,
      head * 0.33,
      head * 0.72,
      extra === 'wool' ? ink : shade,
      0.25 + nod * 5,
    );
  if (extra === 'antlers') {
    for (const side of [-0.5, 0.1]) {
      const [x, y] = [hx + head * side, hy - head * 0.8];
      line(
        ctx,
        [
          [x, y],
          [x - 0.05, y - 0.11],
          [x + 0.02, y - 0.23],
        ],
        shade,
        0.02,
      );
      line(
        ctx,
        [
          [x - 0.04, y - 0.09],
          [x - 0.13, y - 0.17],
        ],
        shade,
        0.018,
      );
      line(
        ctx,
        [
          [x - 0.01, y - 0.16],
          [x + 0.08, y - 0.2],
        ],
        shade,
        0.016,
      );
    }
  }
}
