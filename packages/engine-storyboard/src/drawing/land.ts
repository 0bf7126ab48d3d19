import { chance, hashOf, ridge } from '../random.ts';
import { css, lighten, mix } from './colour.ts';
import type { Rgb } from './colour.ts';
import { drawPine, drawRoundTree } from './plants.ts';
import { atDepth, blob, line, margin, oval, polygon } from './stage.ts';
import type { Stage } from './stage.ts';

interface Ridge {
  readonly key: string;
  readonly depth: number;
  /** Middle of its outline, parts of the height. */
  readonly base: number;
  /** Half the height of its waves, parts of the height. */
  readonly swing: number;
  /** Waves in a width. */
  readonly waves: number;
  readonly octaves: number;
  readonly colour: Rgb;
  /** Peaks instead of waves. */
  readonly sharp?: boolean;
}

function outline(stage: Stage, { key, base, swing, waves, octaves, sharp }: Ridge): (x: number) => number {
  const { look, height, width } = stage;
  const seed = hashOf(look.seed, key);
  // Shapes keep their proportions in upright and in wide pictures.
  const across = (waves * width) / Math.min(width, height);
  return (x) => {
    const value = ridge(seed, x * across, octaves);
    return height * (base - swing * (sharp ? 1 - 2.2 * Math.abs(value) : value * 1.4));
  };
}

export function drawRidge(stage: Stage, part: Ridge, dress?: (top: (x: number) => number) => void): void {
  const { ctx, width, height } = stage;
  const top = outline(stage, part);
  atDepth(stage, part.depth, () => {
    const steps = part.sharp ? 110 : 64;
    ctx.beginPath();
    ctx.moveTo(-margin * width, height * 1.7);
    for (let at = 0; at <= steps; at++) {
      const x = (at / steps) * (1 + 2 * margin) - margin;
      ctx.lineTo(x * width, top(x));
    }
    ctx.lineTo((1 + margin) * width, height * 1.7);
    ctx.closePath();
    const gradient = ctx.createLinearGradient(0, height * (part.base - part.swing), 0, height * (part.base + 0.3));
    gradient.addColorStop(0, css(part.colour));
    gradient.addColorStop(
      1,
      css(mix(part.colour, part.depth < 0.5 ? stage.palette.haze : stage.palette.ink, part.depth < 0.5 ? 0.35 : 0.3)),
    );
    ctx.fillStyle = gradient;
    ctx.fill();
    dress?.(top);
  });
}

/** Mountains far away; with snow on them. */
export function drawPeaks(stage: Stage, base: number, near = 0): void {
  const { ctx, palette, width, height, look } = stage;
  const [far] = palette.land;
  const stone = mix(mix(far, palette.sky[1], 0.35), palette.sky[0], 0.18);
  const layers = [
    {
      key: 'peaks-far',
      depth: 0.1 + near,
      base: base - 0.1,
      swing: 0.15,
      waves: 1.5,
      colour: mix(stone, palette.haze, 0.5),
    },
    {
      key: 'peaks',
      depth: 0.18 + near,
      base: base - 0.035,
      swing: 0.12,
      waves: 2.1,
      colour: mix(stone, palette.haze, 0.12),
    },
  ];
  for (const [index, part] of layers.entries()) {
    drawRidge(stage, { ...part, octaves: 4, sharp: true }, (top) => {
      // Snow lies above a line of its own, lower in winter.
      const cold = look.season === 'winter' || look.weather === 'snow' || look.place === 'snowfield';
      const snowline = height * (part.base - part.swing * (cold ? -0.1 : 0.42));
      const white = css(
        mix(mix(palette.sky[2], [255, 255, 255], palette.night ? 0.12 : 0.6), part.colour, index === 0 ? 0.4 : 0.1),
        0.9,
      );
      const step = 0.011;
      ctx.beginPath();
      for (let x = -margin; x < 1 + margin; x += step) {
        const [left, right] = [top(x), top(x + step)];
        if (left > snowline && right > snowline) continue;
        const jag = (at: number) =>
          snowline + height * 0.014 * Math.sin(at * 90 + index) + height * 0.01 * Math.sin(at * 217);
        ctx.moveTo(x * width, left);
        ctx.lineTo((x + step) * width, right);
        ctx.lineTo((x + step) * width, Math.max(right, jag(x + step)));
        ctx.lineTo(x * width, Math.max(left, jag(x)));
        ctx.closePath();
      }
      ctx.fillStyle = white;
      ctx.fill();
    });
  }
}

export function drawHills(stage: Stage, base: number): void {
  const { palette } = stage;
  const [far, middle, near] = palette.land;
  drawRidge(stage, {
    key: 'hill-far',
    depth: 0.2,
    base: base - 0.02,
    swing: 0.06,
    waves: 1.2,
    octaves: 2,
    colour: mix(far, palette.haze, 0.35),
  });
  drawRidge(
    stage,
    {
      key: 'hill-mid',
      depth: 0.34,
      base: base + 0.03,
      swing: 0.05,
      waves: 1.1,
      octaves: 2,
      colour: mix(far, middle, 0.6),
    },
    (top) => scatterTrees(stage, 'hill-trees', 7, top, 0.34, 0.2),
  );
  drawRidge(stage, {
    key: 'hill-near',
    depth: 0.6,
    base: base + 0.1,
    swing: 0.03,
    waves: 0.9,
    octaves: 2,
    colour: mix(middle, near, 0.6),
  });
}

function scatterTrees(
  stage: Stage,
  key: string,
  count: number,
  top: (x: number) => number,
  size: number,
  shade: number,
): void {
  const { look, palette, width, unit } = stage;
  const bare = look.place === 'desert' || look.place === 'snowfield';
  if (bare) return;
  for (let at = 0; at < count; at++) {
    const seed = hashOf(look.seed, key, at);
    const x = chance(seed, 1) * (1 + margin) - margin / 2;
    const high = unit * size * (0.7 + 0.6 * chance(seed, 2));
    const colour = mix(palette.land[2], palette.haze, shade + 0.1 * chance(seed, 3));
    if (chance(seed, 4) < 0.4) drawPine(stage.ctx, x * width, top(x) + high * 0.06, high * 1.15, colour, palette.ink);
    else drawRoundTree(stage.ctx, x * width, top(x) + high * 0.04, high, colour, palette.ink);
  }
}

export function drawForest(stage: Stage, base: number, rows: readonly number[] = [0, 1, 2]): void {
  const { palette, look, width, unit, ctx, clock } = stage;
  const [far, middle, near] = palette.land;
  for (const row of rows) {
    const depth = [0.22, 0.38, 0.58][row] ?? 0.5;
    const colour = mix(
      [far, mix(middle, far, 0.3), mix(near, middle, 0.35)][row] ?? near,
      palette.haze,
      [0.2, 0.06, 0][row] ?? 0,
    );
    const part: Ridge = {
      key: `wood${String(row)}`,
      depth,
      base: base + row * 0.045,
      swing: 0.02,
      waves: 1,
      octaves: 2,
      colour,
    };
    const count = [30, 22, 13][row] ?? 10;
    drawRidge(stage, part, (top) => {
      for (let at = 0; at < count; at++) {
        const seed = hashOf(look.seed, part.key, at);
        const x = ((at + 0.7 * chance(seed, 1)) / count) * (1 + 1.6 * margin) - margin * 0.8;
        const high = unit * ([0.62, 0.95, 1.45][row] ?? 1) * (0.75 + 0.5 * chance(seed, 2));
        // The middle of the nearest row is left to the actors.
        if (row === 2 && Math.abs(x - 0.5) < 0.2) continue;
        const tone = mix(lighten(colour, 0.05 * chance(seed, 3)), palette.ink, 0.1 + 0.08 * row * chance(seed, 5));
        const lean = Math.sin(clock * 1.2 + at) * 0.012 * (look.weather === 'storm' ? 3 : 1);
        if (chance(look.seed, 'leafy') < 0.35 ? chance(seed, 4) < 0.75 : chance(seed, 4) < 0.12) {
          drawRoundTree(ctx, x * width, top(x) + high * 0.05, high * 0.92, tone, palette.ink, lean);
        } else {
          drawPine(ctx, x * width, top(x) + high * 0.05, high, tone, palette.ink, lean);
        }
      }
    });
  }
}

export function drawMeadow(stage: Stage, base: number): void {
  const { palette, look, width, height, unit, ctx, clock } = stage;
  const [, middle, near] = palette.land;
  drawRidge(stage, {
    key: 'meadow',
    depth: 0.8,
    base: base + 0.16,
    swing: 0.014,
    waves: 0.8,
    octaves: 2,
    colour: mix(near, middle, 0.25),
  });
  atDepth(stage, 0.85, () => {
    for (let at = 0; at < 46; at++) {
      const seed = hashOf(look.seed, 'tuft', at);
      const x = (chance(seed, 1) * (1 + margin) - margin / 2) * width;
      const y = height * (base + 0.2 + 0.3 * chance(seed, 2));
      const sway = Math.sin(clock * 1.7 + x * 0.01) * unit * 0.012;
      const size = unit * (0.05 + 0.05 * chance(seed, 3)) * (1 + (y / height - base) * 1.5);
      const blade = css(mix(near, chance(seed, 4) < 0.5 ? palette.ink : middle, 0.35));
      line(
        ctx,
        [
          [x - size * 0.3, y],
          [x - size * 0.45 + sway, y - size * 0.8],
        ],
        blade,
        size * 0.12,
      );
      line(
        ctx,
        [
          [x, y],
          [x + sway, y - size],
        ],
        blade,
        size * 0.12,
      );
      line(
        ctx,
        [
          [x + size * 0.3, y],
          [x + size * 0.5 + sway, y - size * 0.7],
        ],
        blade,
        size * 0.12,
      );
      if (chance(seed, 5) < 0.4 && look.season !== 'winter' && look.weather !== 'snow' && look.place !== 'forest') {
        oval(ctx, x + sway, y - size * 1.05, size * 0.17, size * 0.17, css(palette.accent(at % 3)));
      }
    }
  });
}

export function drawDunes(stage: Stage, base: number): void {
  const { palette, width, height, look, ctx } = stage;
  const [far, middle, near] = palette.land;
  for (const [at, colour] of [mix(far, palette.haze, 0.25), mix(far, middle, 0.6), middle, near].entries()) {
    const depth = 0.2 + at * 0.2;
    const part: Ridge = {
      key: `dune${String(at)}`,
      depth,
      base: base + at * 0.062,
      swing: 0.045,
      waves: 0.85 + at * 0.1,
      octaves: 1,
      colour,
    };
    drawRidge(stage, part, (top) => {
      // The side away from the sun.
      for (let crest = 0; crest < 3; crest++) {
        const x = -0.3 + ((crest + chance(look.seed, 'crest', at, crest) * 0.8) / 3) * 1.6;
        blob(
          ctx,
          [
            [(x - 0.02) * width, top(x - 0.02) + height * 0.002],
            [(x + 0.1) * width, top(x + 0.1) + height * 0.006],
            [(x + 0.34) * width, top(x + 0.34) + height * 0.03],
            [(x + 0.16) * width, top(x + 0.16) + height * 0.055],
          ],
          css(lighten(colour, -0.2), 0.35),
        );
      }
    });
  }
}

export function drawRoad(stage: Stage, base: number): void {
  const { ctx, palette, width, height } = stage;
  atDepth(stage, 0.7, () => {
    const [top, bottom] = [height * (base + 0.155), height * (base + 0.255)];
    const road = mix(palette.lit([88, 92, 104]), palette.haze, 0.08);
    const [left, right] = [-margin * width, (1 + margin) * width];
    polygon(
      ctx,
      [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ],
      css(road),
    );
    polygon(
      ctx,
      [
        [left, top],
        [right, top],
        [right, top + height * 0.004],
        [left, top + height * 0.004],
      ],
      css(lighten(road, 0.3)),
    );
    const dash = width * 0.14;
    for (let x = left; x < right; x += dash) {
      ctx.fillStyle = css(lighten(road, 0.55));
      ctx.fillRect(x, (top + bottom) / 2 - height * 0.002, dash * 0.5, height * 0.005);
    }
  });
}
