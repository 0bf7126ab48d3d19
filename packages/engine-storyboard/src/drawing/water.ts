import { chance, hashOf, noise } from '../random.ts';
import { css, lighten, mix, rgb } from './colour.ts';
import type { Rgb } from './colour.ts';
import { sunAt } from './sky.ts';
import { atDepth, disc, glow, line, margin, oval, wash } from './stage.ts';
import type { Stage } from './stage.ts';

/** Water from the horizon down, with the light of the sky in it. */
export function drawWater(stage: Stage, rough = 1): void {
  const { palette, horizon, height } = stage;
  atDepth(stage, 0.16, () =>
    wash(stage, horizon, height * 1.7, [
      palette.water[0],
      mix(palette.water[0], palette.water[1], 0.75),
      palette.water[1],
      palette.water[1],
    ]),
  );
  drawGlitter(stage);
  drawWaves(stage, rough);
}

function drawGlitter(stage: Stage): void {
  const { ctx, look, palette, horizon, height, width, clock, unit } = stage;
  const [x] = sunAt(stage);
  const lights = look.sky.includes('sun') || look.sky.includes('moon');
  const colour = palette.night ? mix(palette.sun, palette.sky[2], 0.2) : mix(palette.sun, palette.sky[2], 0.25);
  atDepth(stage, 0.2, () => {
    for (let at = 0; at < 110; at++) {
      const seed = hashOf(look.seed, 'glint', at);
      const down = chance(seed, 1) ** 1.6;
      const y = horizon + height * (0.006 + 0.3 * down);
      const spread = lights && at % 3 !== 0 ? width * (0.035 + 0.16 * down) : width * 0.9;
      const blink = Math.sin(clock * (1.3 + chance(seed, 2)) + at * 1.7);
      if (blink < -0.3) continue;
      const middle = (lights && at % 3 !== 0 ? x : width / 2) + (chance(seed, 3) - 0.5) * 2 * spread;
      const half = unit * (0.06 + 0.26 * down) * (0.6 + 0.4 * blink);
      line(
        ctx,
        [
          [middle - half, y],
          [middle + half, y],
        ],
        css(colour, lights && at % 3 !== 0 ? 0.75 : 0.22),
        unit * (0.008 + 0.016 * down),
      );
    }
  });
}

function drawWaves(stage: Stage, rough: number): void {
  const { look, palette, horizon, height } = stage;
  const wild = rough * (look.weather === 'storm' ? 2.6 : look.mood === 'calm' ? 0.7 : 1);
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const depth = 0.34 + row * 0.19;
    const base = horizon + height * (0.075 + row * row * 0.028 + row * 0.035);
    const colour = mix(palette.water[0], lighten(palette.water[1], -0.06 * row), 0.35 + row * 0.2);
    drawWave(stage, row, depth, base, height * 0.0055 * (1 + row * 0.7) * wild, colour);
  }
}

/** The crest of one row; actors on the water ride on the second. */
export function crestAt(stage: Stage, row: number, x: number, swing: number): number {
  const { look, width, height, clock } = stage;
  const across = (x / Math.min(width, height)) * (5 - row * 0.75);
  const phase = clock * (0.9 + row * 0.22) * look.heading + chance(look.seed, 'wave', row) * 9;
  return Math.sin(across + phase) * swing + Math.sin(across * 2.3 + phase * 1.4) * swing * 0.4;
}

function drawWave(stage: Stage, row: number, depth: number, base: number, swing: number, colour: Rgb): void {
  const { ctx, width, height, palette } = stage;
  atDepth(stage, depth, () => {
    ctx.beginPath();
    ctx.moveTo(-margin * width, height * 1.7);
    const steps = 84;
    for (let at = 0; at <= steps; at++) {
      const x = ((at / steps) * (1 + 2 * margin) - margin) * width;
      ctx.lineTo(x, base + crestAt(stage, row, x, swing));
    }
    ctx.lineTo((1 + margin) * width, height * 1.7);
    ctx.closePath();
    ctx.fillStyle = css(colour, 0.9);
    ctx.fill();
    ctx.beginPath();
    for (let at = 0; at <= steps; at++) {
      const x = ((at / steps) * (1 + 2 * margin) - margin) * width;
      ctx.lineTo(x, base + crestAt(stage, row, x, swing));
    }
    ctx.lineWidth = height * 0.0016 * (1 + row * 0.5);
    ctx.strokeStyle = css(mix(palette.sky[2], [255, 255, 255], palette.night ? 0 : 0.4), palette.night ? 0.22 : 0.4);
    ctx.stroke();
  });
}

export function drawBeach(stage: Stage): void {
  const { ctx, palette, width, height, horizon, clock, look } = stage;
  const sand = palette.land[1];
  atDepth(stage, 0.72, () => {
    const edge = (x: number, lag: number) =>
      horizon +
      height * (0.135 + 0.02 * noise(look.seed, (x / width) * 2)) +
      height * 0.009 * Math.sin(clock * 0.9 - lag + x / width);
    for (const [lag, colour] of [
      [0, css(mix([255, 255, 255], palette.water[0], 0.25), 0.8)],
      [0.9, css(mix(sand, palette.water[1], 0.4))],
      [1.6, css(sand)],
    ] as const) {
      ctx.beginPath();
      ctx.moveTo(-margin * width, height * 1.7);
      for (let at = 0; at <= 50; at++) {
        const x = ((at / 50) * (1 + 2 * margin) - margin) * width;
        ctx.lineTo(x, edge(x, lag) + lag * height * 0.009);
      }
      ctx.lineTo((1 + margin) * width, height * 1.7);
      ctx.fillStyle = colour;
      ctx.fill();
    }
    for (let at = 0; at < 40; at++) {
      const seed = hashOf(look.seed, 'shell', at);
      const y = horizon + height * (0.19 + 0.3 * chance(seed, 2));
      oval(
        ctx,
        (chance(seed, 1) * 1.6 - 0.3) * width,
        y,
        width * 0.006,
        width * 0.003,
        css(lighten(sand, chance(seed, 3) < 0.5 ? -0.16 : 0.3)),
      );
    }
  });
}

/** Below the surface: rays, bubbles, weeds and a floor of sand. */
export function drawUnderwater(stage: Stage): void {
  const { ctx, palette, width, height, clock, look, unit } = stage;
  const deep = mix(palette.water[1], rgb('#06283f'), 0.45);
  const upper = mix(palette.water[0], rgb('#4fc3d3'), palette.night ? 0.15 : 0.55);
  atDepth(stage, 0, () => wash(stage, -height * 0.5, height * 1.5, [upper, upper, mix(upper, deep, 0.55), deep]));
  atDepth(stage, 0.08, () => {
    for (let ray = 0; ray < 6; ray++) {
      const x = width * ((ray + 0.5) / 6 + 0.06 * Math.sin(clock * 0.4 + ray * 2));
      const gradient = ctx.createLinearGradient(0, 0, 0, height * 0.85);
      gradient.addColorStop(0, css([255, 255, 240], palette.night ? 0.05 : 0.17));
      gradient.addColorStop(1, css([255, 255, 240], 0));
      ctx.beginPath();
      ctx.moveTo(x - width * 0.03, -height * 0.3);
      ctx.lineTo(x + width * 0.05, -height * 0.3);
      ctx.lineTo(x + width * (0.02 + 0.03 * ray), height * 0.85);
      ctx.lineTo(x - width * (0.14 - 0.02 * ray), height * 0.85);
      ctx.fillStyle = gradient;
      ctx.fill();
    }
  });
  for (const layer of [0, 1]) {
    const depth = 0.3 + layer * 0.4;
    const base = height * (0.74 + layer * 0.09);
    const sand = mix(mix(palette.lit(rgb('#d8c38c')), deep, 0.62 - layer * 0.3), upper, 0.12);
    atDepth(stage, depth, () => {
      const floor = (x: number) => base + height * 0.02 * noise(look.seed + layer, (x / width) * 3);
      for (let weed = 0; weed < 10 + layer * 3; weed++) {
        const seed = hashOf(look.seed, 'weed', layer, weed);
        const x = (chance(seed, 1) * 1.7 - 0.35) * width;
        if (layer === 1 && Math.abs(x / width - 0.5) < 0.14) continue;
        const high = unit * (0.35 + 0.6 * chance(seed, 2)) * (1 + layer * 0.4);
        const colour = mix(
          mix(rgb(['#3f9c6b', '#c65a7a', '#e08a4a', '#6f6fd0'][weed % 4] ?? '#3f9c6b'), deep, 0.5 - layer * 0.22),
          upper,
          0.15,
        );
        const points: [number, number][] = [];
        for (let joint = 0; joint <= 7; joint++) {
          const up = joint / 7;
          points.push([
            x + Math.sin(clock * 1.1 + up * 3 + weed) * unit * 0.07 * up,
            floor(x) + unit * 0.05 - high * up,
          ]);
        }
        line(ctx, points, css(colour), unit * (weed % 4 === 0 ? 0.05 : 0.035));
        if (weed % 2 === 1)
          for (const [px, py] of points.slice(2))
            disc(ctx, px + unit * 0.04 * (py % 2 > 1 ? 1 : -1), py, unit * 0.035, css(colour));
      }
      ctx.beginPath();
      ctx.moveTo(-margin * width, height * 1.7);
      for (let at = 0; at <= 40; at++) {
        const x = ((at / 40) * (1 + 2 * margin) - margin) * width;
        ctx.lineTo(x, floor(x));
      }
      ctx.lineTo((1 + margin) * width, height * 1.7);
      ctx.fillStyle = css(sand);
      ctx.fill();
    });
  }
  atDepth(stage, 0.6, () => {
    for (let at = 0; at < 26; at++) {
      const seed = hashOf(look.seed, 'bubble', at);
      const up = (chance(seed, 1) + clock * (0.05 + 0.06 * chance(seed, 2))) % 1;
      const x = chance(seed, 3) * width + Math.sin(clock * 2 + at) * unit * 0.03;
      const radius = unit * (0.012 + 0.03 * chance(seed, 4));
      ctx.beginPath();
      ctx.arc(x, height * (1 - up * 1.1), radius, 0, Math.PI * 2);
      ctx.lineWidth = radius * 0.22;
      ctx.strokeStyle = css([255, 255, 255], 0.55 * (1 - up * 0.6));
      ctx.stroke();
    }
  });
  if (palette.night) glow(ctx, width / 2, height * 0.2, unit * 2, upper, 0.2);
}
