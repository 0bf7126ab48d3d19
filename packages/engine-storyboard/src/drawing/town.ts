import { chance, hashOf } from '../random.ts';
import { css, lighten, mix, rgb } from './colour.ts';
import type { Rgb } from './colour.ts';
import { drawRoundTree } from './plants.ts';
import { atDepth, box, disc, glow, margin, polygon } from './stage.ts';
import type { Stage } from './stage.ts';

interface Row {
  readonly key: string;
  readonly depth: number;
  readonly base: number;
  readonly count: number;
  /** Parts of the height. */
  readonly low: number;
  readonly high: number;
  readonly colour: Rgb;
  readonly windows: number;
}

/** A row of tall houses with lights in their windows. */
function drawRow(stage: Stage, { key, depth, base, count, low, high, colour, windows }: Row): void {
  const { ctx, look, palette, width, height, clock } = stage;
  const span = 1 + 2 * margin;
  const dark = palette.night || look.time === 'sunset' || look.weather === 'storm' || look.weather === 'rain';
  atDepth(stage, depth, () => {
    for (let at = 0; at < count; at++) {
      const seed = hashOf(look.seed, key, at);
      const wide = ((span * width) / count) * (0.72 + 0.4 * chance(seed, 1));
      const x = ((at + 0.2 * chance(seed, 2)) / count) * span * width - margin * width;
      const tall = height * (low + (high - low) * chance(seed, 3) ** 1.7);
      const top = base - tall;
      const wall = lighten(colour, (chance(seed, 4) - 0.5) * 0.12);
      box(ctx, x, top, wide, tall + height, css(wall));
      box(ctx, x + wide * 0.72, top, wide * 0.28, tall + height, css(lighten(wall, -0.14)));
      const roof = chance(seed, 5);
      if (roof < 0.22)
        polygon(
          ctx,
          [
            [x, top],
            [x + wide / 2, top - wide * 0.42],
            [x + wide, top],
          ],
          css(lighten(wall, -0.08)),
        );
      else if (roof < 0.4)
        box(ctx, x + wide * 0.47, top - wide * 0.7, wide * 0.06, wide * 0.7, css(lighten(wall, -0.1)));
      else if (roof < 0.6)
        box(ctx, x + wide * 0.2, top - wide * 0.16, wide * 0.6, wide * 0.17, css(lighten(wall, -0.05)));
      if (windows === 0) continue;
      const columns = Math.max(2, Math.round(wide / (height * 0.014 * windows)));
      const gap = wide / (columns + 0.6);
      const rows = Math.floor((tall * 0.94) / (gap * 1.35));
      ctx.beginPath();
      const quiet: [number, number][] = [];
      for (let cell = 0; cell < columns * rows; cell++) {
        const lit = chance(seed, 6, cell);
        const [wx, wy] = [x + gap * (0.5 + (cell % columns)), top + gap * (0.7 + Math.floor(cell / columns) * 1.35)];
        // A few go on and off.
        const flips = lit > 0.97 && Math.sin(clock * 1.5 + cell) > 0;
        if (lit < (dark ? 0.46 : 0.1) || flips) ctx.rect(wx, wy, gap * 0.55, gap * 0.75);
        else quiet.push([wx, wy]);
      }
      ctx.fillStyle = css(
        dark ? mix(palette.glow, wall, 0.12) : mix([255, 255, 255], wall, 0.35),
        depth < 0.25 ? 0.55 : 0.9,
      );
      ctx.fill();
      ctx.beginPath();
      for (const [wx, wy] of quiet) ctx.rect(wx, wy, gap * 0.55, gap * 0.75);
      ctx.fillStyle = css(dark ? lighten(wall, -0.25) : mix(palette.sky[0], wall, 0.45), 0.7);
      ctx.fill();
    }
  });
}

/** A town far away, to stand behind water, meadows or deserts. */
export function drawSkyline(stage: Stage, base: number): void {
  const { palette, height } = stage;
  const stone = palette.lit(rgb('#7f93ad'));
  drawRow(stage, {
    key: 'sky-far',
    depth: 0.13,
    base: base * height,
    count: 26,
    low: 0.04,
    high: 0.22,
    colour: mix(stone, palette.haze, 0.62),
    windows: 0,
  });
  drawRow(stage, {
    key: 'sky-near',
    depth: 0.18,
    base: base * height + height * 0.004,
    count: 19,
    low: 0.03,
    high: 0.14,
    colour: mix(stone, palette.haze, 0.34),
    windows: 0.8,
  });
}

export function drawCity(stage: Stage, base: number): void {
  const { ctx, palette, width, height, look, unit } = stage;
  const [far, middle, near] = palette.land;
  const foot = base * height;
  drawRow(stage, {
    key: 'far',
    depth: 0.12,
    base: foot,
    count: 24,
    low: 0.16,
    high: 0.5,
    colour: mix(far, palette.haze, 0.5),
    windows: 0,
  });
  drawRow(stage, {
    key: 'middle',
    depth: 0.26,
    base: foot + height * 0.03,
    count: 16,
    low: 0.12,
    high: 0.38,
    colour: mix(middle, palette.haze, 0.28),
    windows: 1,
  });
  drawRow(stage, {
    key: 'near',
    depth: 0.46,
    base: foot + height * 0.1,
    count: 11,
    low: 0.12,
    high: 0.3,
    colour: mix(near, palette.haze, 0.06),
    windows: 1.7,
  });
  const street = palette.lit(rgb('#4b5262'));
  atDepth(stage, 0.68, () => {
    const top = foot + height * 0.11;
    box(ctx, -margin * width, top, (1 + 2 * margin) * width, height * 0.05, css(lighten(street, 0.3)));
    box(ctx, -margin * width, top + height * 0.046, (1 + 2 * margin) * width, height * 0.7, css(street));
    for (let at = -3; at < 12; at++) {
      box(
        ctx,
        at * width * 0.16 + width * 0.02,
        top + height * 0.125,
        width * 0.085,
        height * 0.005,
        css(lighten(street, 0.5)),
      );
    }
    for (let at = 0; at < 5; at++) {
      const x = width * (-0.32 + at * 0.41 + 0.08 * chance(look.seed, 'post', at));
      drawLamp(stage, x, top + height * 0.03, unit * 1.25);
      drawRoundTree(
        ctx,
        x + width * 0.17,
        top + height * 0.028,
        unit * 0.75,
        mix(palette.lit(rgb('#4f8a5a')), palette.haze, 0.1),
        palette.ink,
      );
    }
    if (look.weather === 'rain' || look.weather === 'storm') {
      // Wet streets shine.
      for (let at = 0; at < 14; at++) {
        const x = width * (chance(look.seed, 'puddle', at) * 1.5 - 0.25);
        box(
          ctx,
          x,
          top + height * (0.06 + 0.2 * chance(look.seed, 'wet', at)),
          width * 0.12,
          height * 0.003,
          css(palette.glow, 0.3),
          height * 0.0015,
        );
      }
    }
  });
}

export function drawLamp(stage: Stage, x: number, y: number, high: number, colour?: Rgb): void {
  const { ctx, palette, look } = stage;
  const ink = colour ?? mix(palette.ink, palette.land[2], 0.2);
  box(ctx, x - high * 0.012, y - high * 0.95, high * 0.024, high * 0.95, css(ink));
  box(ctx, x - high * 0.035, y - high * 0.06, high * 0.07, high * 0.06, css(ink), high * 0.01);
  box(ctx, x - high * 0.05, y - high, high * 0.1, high * 0.03, css(ink), high * 0.012);
  const on = palette.night || look.time === 'sunset' || look.time === 'dawn';
  disc(ctx, x, y - high * 0.93, high * 0.045, css(on ? palette.glow : lighten(ink, 0.55)));
  if (on) glow(ctx, x, y - high * 0.93, high * 0.5, palette.glow, 0.42);
}

/** Small houses in the hills. */
export function drawVillage(stage: Stage, base: number, depth = 0.42): void {
  const { ctx, look, palette, width, height, unit } = stage;
  atDepth(stage, depth, () => {
    for (let at = 0; at < 8; at++) {
      const seed = hashOf(look.seed, 'cottage', at);
      const size = unit * (0.34 + 0.2 * chance(seed, 1)) * (0.7 + depth * 0.6);
      const x = (((at + 0.5 * chance(seed, 2)) / 8) * 1.7 - 0.35) * width;
      const y = base * height + height * 0.028 * chance(seed, 3);
      const wall = mix(
        palette.lit(rgb(['#f1e6d0', '#e6cfae', '#f5efe6', '#d9b89a'][at % 4] ?? '#f1e6d0')),
        palette.haze,
        0.16,
      );
      const roof = mix(palette.lit(rgb(['#b5533c', '#8a4a3a', '#5d6b7d'][at % 3] ?? '#b5533c')), palette.haze, 0.14);
      drawCottage(stage, x, y, size, wall, roof);
      if (chance(seed, 4) < 0.6)
        drawRoundTree(ctx, x + size * 0.95, y, size * 0.95, mix(palette.land[2], palette.haze, 0.15), palette.ink);
    }
  });
}

export function drawCottage(stage: Stage, x: number, y: number, size: number, wall: Rgb, roof: Rgb): void {
  const { ctx, palette, look } = stage;
  const on = palette.night || look.time === 'sunset' || look.weather === 'rain' || look.weather === 'snow';
  box(ctx, x - size * 0.5, y - size * 0.55, size, size * 0.57, css(wall));
  box(ctx, x + size * 0.2, y - size * 0.55, size * 0.3, size * 0.57, css(lighten(wall, -0.12)));
  box(ctx, x + size * 0.2, y - size * 1.02, size * 0.13, size * 0.35, css(lighten(roof, -0.2)));
  polygon(
    ctx,
    [
      [x - size * 0.62, y - size * 0.52],
      [x, y - size],
      [x + size * 0.62, y - size * 0.52],
    ],
    css(roof),
  );
  polygon(
    ctx,
    [
      [x, y - size],
      [x + size * 0.62, y - size * 0.52],
      [x + size * 0.2, y - size * 0.52],
    ],
    css(lighten(roof, -0.14)),
  );
  box(ctx, x - size * 0.09, y - size * 0.3, size * 0.18, size * 0.32, css(lighten(roof, -0.3)), size * 0.02);
  const pane = css(on ? palette.glow : mix(palette.sky[0], wall, 0.3));
  box(ctx, x - size * 0.36, y - size * 0.42, size * 0.17, size * 0.17, pane);
  box(ctx, x + size * 0.24, y - size * 0.42, size * 0.17, size * 0.17, pane);
  if (on && palette.night) glow(ctx, x - size * 0.28, y - size * 0.34, size * 0.5, palette.glow, 0.3);
}
