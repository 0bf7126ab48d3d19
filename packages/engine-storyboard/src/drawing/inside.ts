import { chance, hashOf, pick } from '../random.ts';
import { brightness, css, lighten, mix, rgb } from './colour.ts';
import { drawHills } from './land.ts';
import { drawSky } from './sky.ts';
import { atDepth, box, disc, glow, line, margin, polygon } from './stage.ts';
import type { Stage } from './stage.ts';

/** A room with a window on the world of the prompt, a table, and a lamp. */
export function drawRoom(stage: Stage): void {
  const { ctx, palette, look, width, height, unit } = stage;
  const wall = mix(
    palette.lit(rgb(pick(['#c9b8a4', '#a9bdb6', '#c7a9a0', '#9fb0c4'], look.seed, 'wall'))),
    palette.land[0],
    0.35,
  );
  const [wx, wy, ww, wh] = [width * 0.5 - unit * 0.95, height * 0.17, unit * 1.9, unit * 1.75];
  atDepth(stage, 0.22, () => {
    box(ctx, -margin * width, -height, (1 + 2 * margin) * width, height * 3, css(wall));
    box(ctx, -margin * width, height * 0.62, (1 + 2 * margin) * width, height * 0.02, css(lighten(wall, 0.25)));
  });
  atDepth(stage, 0.22, () => {
    ctx.save();
    ctx.beginPath();
    ctx.rect(wx, wy, ww, wh);
    ctx.clip();
    const outside: Stage = { ...stage, horizon: wy + wh * 0.7, view: { ...stage.view, x: 0, y: 0, zoom: 1 } };
    drawSky({ ...outside, look: { ...look, place: 'meadow', sky: [...look.sky, palette.night ? 'moon' : 'sun'] } });
    drawHills({ ...outside, look: { ...look, place: 'meadow' } }, (wy + wh * 0.76) / height);
    ctx.restore();
    const frame = css(lighten(wall, 0.5));
    for (const [x, y, w, h] of [
      [wx - unit * 0.06, wy - unit * 0.06, ww + unit * 0.12, unit * 0.08],
      [wx - unit * 0.1, wy + wh, ww + unit * 0.2, unit * 0.1],
      [wx - unit * 0.06, wy, unit * 0.08, wh],
      [wx + ww - unit * 0.02, wy, unit * 0.08, wh],
      [wx + ww / 2 - unit * 0.025, wy, unit * 0.05, wh],
      [wx, wy + wh * 0.42, ww, unit * 0.045],
    ] as const) {
      box(ctx, x, y, w, h, frame);
    }
    const curtain = palette.accent(2);
    for (const side of [-1, 1]) {
      const edge = width / 2 + side * (ww / 2 + unit * 0.34);
      polygon(
        ctx,
        [
          [edge, wy - unit * 0.16],
          [edge - side * unit * 0.5, wy - unit * 0.16],
          [edge - side * unit * 0.26, wy + wh * 1.25],
          [edge, wy + wh * 1.25],
        ],
        css(mix(curtain, wall, 0.25)),
      );
      line(
        ctx,
        [
          [edge - side * unit * 0.2, wy - unit * 0.14],
          [edge - side * unit * 0.13, wy + wh * 1.24],
        ],
        css(lighten(mix(curtain, wall, 0.25), -0.15)),
        unit * 0.02,
      );
    }
    // Two pictures, one at each side.
    for (const side of [-1, 1]) {
      const x = width / 2 + side * unit * 1.95;
      box(ctx, x - unit * 0.3, height * 0.26, unit * 0.6, unit * 0.75, css(lighten(wall, -0.35)));
      box(ctx, x - unit * 0.25, height * 0.26 + unit * 0.05, unit * 0.5, unit * 0.65, css(palette.accent(side + 4)));
      disc(ctx, x, height * 0.26 + unit * 0.34, unit * 0.14, css(lighten(palette.accent(side + 4), 0.45)));
    }
  });
  atDepth(stage, 0.66, () => {
    const table = palette.lit(rgb('#8f6444'));
    const top = height * 0.735;
    box(ctx, -margin * width, top, (1 + 2 * margin) * width, height, css(table));
    box(ctx, -margin * width, top, (1 + 2 * margin) * width, height * 0.012, css(lighten(table, 0.22)));
    for (let at = 0; at < 7; at++) {
      const y = top + height * (0.03 + 0.05 * at);
      box(
        ctx,
        width * (-0.4 + chance(look.seed, 'grain', at)),
        y,
        width * 0.7,
        height * 0.002,
        css(lighten(table, -0.14)),
      );
    }
    if (palette.night || look.time === 'sunset')
      glow(ctx, width * 0.5, top - unit * 0.4, unit * 2.6, palette.glow, 0.22);
  });
}

/** Shapes and colours alone, for prompts whose words name nothing that can be drawn: their hashes compose it. */
export function drawAbstract(stage: Stage): void {
  const { ctx, palette, look, width, height, clock, unit, part } = stage;
  const dark = palette.night || look.mood === 'dark';
  const tint = look.tints[0];
  const ground = tint
    ? mix(palette.named(tint), dark ? [14, 18, 34] : [255, 250, 240], 0.55)
    : dark
      ? rgb('#171d33')
      : rgb(pick(['#f3ead8', '#e9efe9', '#f1dfd3', '#dfe7f0'], look.seed, 'paper'));
  atDepth(stage, 0, () => box(ctx, -margin * width, -height, (1 + 2 * margin) * width, height * 3, css(ground)));
  const staged = look.actors.length > 0;
  const count = 9;
  const grow = 1 - (1 - Math.min(1, part * 3.2)) ** 3;
  for (let at = 0; at < count; at++) {
    const seed = hashOf(look.seed, 'shape', at);
    const depth = 0.15 + (at / count) * 0.75;
    const angle = chance(seed, 1) * Math.PI * 2 + clock * (chance(seed, 2) - 0.5) * 0.7 * look.pace;
    // Where there are actors, the shapes are their stage: farther out, and paler.
    const orbit = unit * ((staged ? 0.75 : 0.15) + 1.05 * chance(seed, 3));
    const x = width / 2 + Math.cos(angle) * Math.min(orbit, width * (staged ? 0.5 : 0.42));
    const y = height * 0.43 + Math.sin(angle) * orbit * (height > width ? 1.25 : 0.62);
    const size = unit * (0.16 + 0.42 * chance(seed, 4)) * (at === 0 ? 1.5 : 1) * (0.25 + 0.75 * grow);
    let colour =
      at === 1 ? mix(ground, brightness(ground) > 0.5 ? rgb('#1f2b4a') : [255, 255, 255], 0.85) : palette.accent(at);
    if (look.tints.length > 0) colour = mix(colour, palette.named(look.tints[at % look.tints.length] ?? 'blue'), 0.65);
    if (staged) colour = mix(colour, ground, 0.55);
    atDepth(stage, depth, () => {
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(clock * (chance(seed, 5) - 0.5) * 0.9 + chance(seed, 6) * 6);
      drawShape(stage, Math.floor(chance(seed, 7) * 6), size, css(colour), css(ground));
      ctx.restore();
    });
  }
}

function drawShape({ ctx }: Stage, shape: number, size: number, fill: string, ground: string): void {
  switch (shape) {
    case 0:
      disc(ctx, 0, 0, size, fill);
      break;
    case 1:
      box(ctx, -size * 0.8, -size * 0.8, size * 1.6, size * 1.6, fill, size * 0.12);
      break;
    case 2:
      polygon(
        ctx,
        [
          [-size, size * 0.7],
          [0, -size],
          [size, size * 0.7],
        ],
        fill,
      );
      break;
    case 3:
      ctx.beginPath();
      ctx.arc(0, 0, size, 0, Math.PI);
      ctx.closePath();
      ctx.fillStyle = fill;
      ctx.fill();
      break;
    case 4:
      disc(ctx, 0, 0, size, fill);
      disc(ctx, 0, 0, size * 0.55, ground);
      break;
    default:
      for (let bar = -2; bar <= 2; bar++)
        box(ctx, -size, bar * size * 0.4 - size * 0.08, size * 2, size * 0.17, fill, size * 0.08);
  }
}
