import { blob, disc, line, oval, polygon } from '../stage.ts';
import { swing } from './pen.ts';
import type { Pen } from './pen.ts';

/** What tells one four-legged animal from another; parts of its height. */
interface Build {
  readonly leg: number;
  readonly body: number;
  readonly thick: number;
  readonly neck: number;
  /** How far the head stands forward. */
  readonly reach: number;
  readonly head: number;
  readonly snout: number;
  readonly limb: number;
  readonly tail: 'long' | 'bushy' | 'short' | 'tuft' | 'hair';
  readonly ears: 'pointed' | 'floppy' | 'round' | 'long' | 'big' | 'small';
  readonly extra?: 'mane' | 'antlers' | 'horns' | 'trunk' | 'hump' | 'wool' | 'horse' | 'spots';
  readonly pale?: boolean;
}

const builds = {
  cat: {
    leg: 0.26,
    body: 0.56,
    thick: 0.3,
    neck: 0.2,
    reach: 0.06,
    head: 0.19,
    snout: 0.05,
    limb: 0.075,
    tail: 'long',
    ears: 'pointed',
  },
  dog: {
    leg: 0.34,
    body: 0.56,
    thick: 0.28,
    neck: 0.24,
    reach: 0.1,
    head: 0.16,
    snout: 0.16,
    limb: 0.08,
    tail: 'short',
    ears: 'floppy',
  },
  fox: {
    leg: 0.3,
    body: 0.58,
    thick: 0.26,
    neck: 0.22,
    reach: 0.1,
    head: 0.16,
    snout: 0.15,
    limb: 0.065,
    tail: 'bushy',
    ears: 'pointed',
    pale: true,
  },
  horse: {
    leg: 0.46,
    body: 0.62,
    thick: 0.27,
    neck: 0.27,
    reach: 0.16,
    head: 0.115,
    snout: 0.17,
    limb: 0.065,
    tail: 'hair',
    ears: 'small',
    extra: 'horse',
  },
  deer: {
    leg: 0.44,
    body: 0.44,
    thick: 0.2,
    neck: 0.28,
    reach: 0.12,
    head: 0.085,
    snout: 0.13,
    limb: 0.045,
    tail: 'short',
    ears: 'small',
    extra: 'antlers',
  },
  cow: {
    leg: 0.36,
    body: 0.74,
    thick: 0.38,
    neck: 0.14,
    reach: 0.16,
    head: 0.15,
    snout: 0.17,
    limb: 0.085,
    tail: 'tuft',
    ears: 'small',
    extra: 'spots',
  },
  sheep: {
    leg: 0.26,
    body: 0.56,
    thick: 0.42,
    neck: 0.16,
    reach: 0.16,
    head: 0.13,
    snout: 0.13,
    limb: 0.07,
    tail: 'short',
    ears: 'floppy',
    extra: 'wool',
  },
  bear: {
    leg: 0.3,
    body: 0.76,
    thick: 0.5,
    neck: 0.12,
    reach: 0.15,
    head: 0.19,
    snout: 0.13,
    limb: 0.15,
    tail: 'short',
    ears: 'round',
  },
  lion: {
    leg: 0.34,
    body: 0.66,
    thick: 0.32,
    neck: 0.2,
    reach: 0.12,
    head: 0.17,
    snout: 0.12,
    limb: 0.09,
    tail: 'tuft',
    ears: 'round',
    extra: 'mane',
  },
  elephant: {
    leg: 0.38,
    body: 0.72,
    thick: 0.48,
    neck: 0.14,
    reach: 0.18,
    head: 0.2,
    snout: 0.04,
    limb: 0.14,
    tail: 'tuft',
    ears: 'big',
    extra: 'trunk',
  },
  camel: {
    leg: 0.46,
    body: 0.52,
    thick: 0.24,
    neck: 0.3,
    reach: 0.24,
    head: 0.085,
    snout: 0.15,
    limb: 0.055,
    tail: 'tuft',
    ears: 'small',
    extra: 'hump',
  },
  giraffe: {
    leg: 0.4,
    body: 0.34,
    thick: 0.18,
    neck: 0.42,
    reach: 0.14,
    head: 0.06,
    snout: 0.11,
    limb: 0.042,
    tail: 'tuft',
    ears: 'small',
    extra: 'spots',
  },
  rabbit: {
    leg: 0.16,
    body: 0.54,
    thick: 0.4,
    neck: 0.2,
    reach: 0.06,
    head: 0.2,
    snout: 0.06,
    limb: 0.1,
    tail: 'short',
    ears: 'long',
  },
} as const satisfies Readonly<Record<string, Build>>;

export type FourLegged = keyof typeof builds;

export function isFourLegged(kind: string): kind is FourLegged {
  return Object.hasOwn(builds, kind);
}

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

function curve(
  { ctx }: Pen,
  x: number,
  y: number,
  cx: number,
  cy: number,
  ex: number,
  ey: number,
  wide: number,
  stroke: string,
): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.quadraticCurveTo(cx, cy, ex, ey);
  ctx.lineWidth = wide;
  ctx.lineCap = 'round';
  ctx.strokeStyle = stroke;
  ctx.stroke();
}

export const smallAnimals: Readonly<Record<string, (pen: Pen) => void>> = {
  bird: (pen) => {
    const { ctx, main, shade, ink } = pen;
    const flap = Math.sin(pen.clock * 8 * Math.max(0.5, pen.stride) + pen.index * 2);
    const tip = -0.5 - flap * 0.5;
    blob(
      ctx,
      [
        [-0.1, -0.5],
        [-0.5, tip - 0.1],
        [-1.1, tip + 0.12],
        [-0.5, tip + 0.22],
        [0.05, -0.36],
      ],
      shade,
    );
    oval(ctx, 0, -0.42, 0.5, 0.16, main, -0.12);
    polygon(
      ctx,
      [
        [-0.4, -0.42],
        [-0.78, -0.3],
        [-0.72, -0.5],
      ],
      main,
    );
    disc(ctx, 0.46, -0.55, 0.15, main);
    polygon(
      ctx,
      [
        [0.57, -0.6],
        [0.8, -0.52],
        [0.57, -0.48],
      ],
      pen.lit('#f0a53a'),
    );
    disc(ctx, 0.5, -0.58, 0.03, ink);
    blob(
      ctx,
      [
        [0.2, -0.46],
        [-0.1, tip],
        [-0.5, tip - 0.22],
        [-0.35, tip + 0.22],
        [-0.15, -0.34],
      ],
      main,
    );
  },
  butterfly: (pen) => {
    const { ctx, main, light, ink } = pen;
    const open = 0.35 + 0.65 * Math.abs(Math.sin(pen.clock * 5 + pen.index));
    for (const side of [-1, 1]) {
      oval(ctx, side * 0.3 * open, -0.66, 0.3 * open, 0.3, main, side * 0.5);
      oval(ctx, side * 0.24 * open, -0.3, 0.22 * open, 0.2, light, -side * 0.4);
      oval(ctx, side * 0.34 * open, -0.7, 0.12 * open, 0.12, light);
    }
    oval(ctx, 0, -0.5, 0.045, 0.3, ink);
    line(
      ctx,
      [
        [0, -0.75],
        [0.1, -0.95],
      ],
      ink,
      0.02,
    );
    line(
      ctx,
      [
        [0, -0.75],
        [-0.1, -0.95],
      ],
      ink,
      0.02,
    );
  },
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
  dragon: (pen) => {
    const { ctx, main, shade, light, ink } = pen;
    const flap = Math.sin(pen.clock * 4) * 0.35;
    const wave = (at: number) => Math.sin(pen.clock * 2.2 - at * 0.8) * 0.06;
    blob(
      ctx,
      [
        [0, -0.5],
        [-0.35, -0.95 - flap],
        [-0.95, -0.9 - flap * 1.3],
        [-0.55, -0.62 - flap * 0.5],
        [-0.2, -0.4],
      ],
      shade,
    );
    const points: [number, number][] = [];
    for (let at = 0; at <= 10; at++) points.push([-1.2 + at * 0.17, -0.42 + wave(at) - (at > 6 ? (at - 6) * 0.05 : 0)]);
    for (const [at, point] of points.entries())
      disc(ctx, point[0], point[1], 0.03 + 0.016 * at * (at < 7 ? 1 : 0.72), main);
    line(ctx, points, main, 0.12);
    polygon(
      ctx,
      [
        [-1.2, -0.42 + wave(0)],
        [-1.42, -0.56],
        [-1.38, -0.3],
      ],
      shade,
    );
    const [hx, hy] = [0.66, -0.68 + wave(10)];
    oval(ctx, hx, hy, 0.2, 0.12, main, 0.1);
    oval(ctx, hx + 0.16, hy + 0.03, 0.14, 0.07, main);
    polygon(
      ctx,
      [
        [hx - 0.12, hy - 0.08],
        [hx - 0.32, hy - 0.26],
        [hx - 0.02, hy - 0.1],
      ],
      light,
    );
    disc(ctx, hx + 0.05, hy - 0.04, 0.03, ink);
    blob(
      ctx,
      [
        [0.16, -0.5],
        [0, -1 - flap],
        [-0.5, -1.15 - flap * 1.5],
        [-0.3, -0.72 - flap * 0.4],
        [-0.1, -0.42],
      ],
      light,
    );
    const breath = (pen.clock % 3) / 3;
    if (breath < 0.4)
      for (let at = 0; at < 5; at++)
        disc(
          ctx,
          hx + 0.34 + at * 0.1,
          hy + 0.05 + at * 0.015,
          0.04 + at * 0.018,
          at % 2 === 0 ? pen.lit('#ff9a3c') : pen.lit('#ffd25c'),
        );
  },
};
