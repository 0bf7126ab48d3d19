import { chance, hashOf } from '../random.ts';
import { css, lighten, mix, rgb } from './colour.ts';
import { drawStars } from './sky.ts';
import { atDepth, disc, glow, oval, wash } from './stage.ts';
import type { Stage } from './stage.ts';

export function drawSpace(stage: Stage): void {
  const { ctx, palette, look, width, height, unit } = stage;
  const night = rgb('#060816');
  atDepth(stage, 0, () =>
    wash(stage, -height * 0.5, height * 1.5, [
      night,
      mix(night, palette.sky[0], 0.7),
      mix(palette.sky[1], night, 0.45),
      night,
    ]),
  );
  atDepth(stage, 0.05, () => {
    for (let cloud = 0; cloud < 6; cloud++) {
      const seed = hashOf(look.seed, 'nebula', cloud);
      const colour =
        look.tints.length > 0 ? palette.named(look.tints[cloud % look.tints.length] ?? 'blue') : palette.accent(cloud);
      glow(
        ctx,
        width * chance(seed, 1),
        height * (0.1 + 0.7 * chance(seed, 2)),
        unit * (1.1 + 1.3 * chance(seed, 3)),
        mix(colour, palette.sky[1], 0.35),
        0.34,
      );
    }
  });
  atDepth(stage, 0.03, () => drawStars(stage, 1.1));
  atDepth(stage, 0.1, () => drawStars({ ...stage, look: { ...look, seed: look.seed + 1 } }, 1.1));
  if (look.actors.some(({ kind }) => kind === 'planet')) return;
  atDepth(stage, 0.22, () => {
    const [x, y] = [
      width * (0.18 + 0.64 * chance(look.seed, 'planet-x')),
      height * (0.16 + 0.14 * chance(look.seed, 'planet-y')),
    ];
    drawPlanet(
      stage,
      x,
      y,
      unit * (0.42 + 0.3 * chance(look.seed, 'planet-size')),
      1,
      chance(look.seed, 'rings') < 0.6,
    );
  });
  atDepth(stage, 0.5, () => {
    // The edge of a world below.
    const radius = Math.max(width, height) * 1.3;
    const top = height * 0.9;
    const colour = mix(palette.land[2], palette.accent(0), 0.3);
    glow(ctx, width / 2, top + radius, radius * 1.12, mix(palette.sky[2], colour, 0.4), 0.6);
    disc(ctx, width / 2, top + radius, radius, css(lighten(colour, -0.35)));
    for (let at = 0; at < 9; at++) {
      const seed = hashOf(look.seed, 'crater', at);
      const size = unit * (0.08 + 0.16 * chance(seed, 2));
      oval(
        ctx,
        width * (chance(seed, 1) * 1.4 - 0.2),
        top + height * (0.035 + 0.1 * chance(seed, 3)),
        size,
        size * 0.28,
        css(lighten(colour, -0.48)),
      );
    }
  });
}

export function drawPlanet(
  stage: Stage,
  x: number,
  y: number,
  radius: number,
  index: number,
  rings: boolean,
  own?: readonly [number, number, number],
): void {
  const { ctx, palette, look, clock } = stage;
  const colour = own ?? mix(palette.accent(index), palette.sky[1], 0.15);
  const tilt = -0.38;
  const ring = (from: number, to: number) => {
    for (const [scale, alpha] of [
      [1.75, 0.75],
      [2.05, 0.4],
    ] as const) {
      ctx.beginPath();
      ctx.ellipse(x, y, radius * scale, radius * scale * 0.26, tilt, from, to);
      ctx.lineWidth = radius * 0.15;
      ctx.strokeStyle = css(lighten(colour, 0.45), alpha);
      ctx.stroke();
    }
  };
  if (rings) ring(Math.PI, Math.PI * 2);
  disc(ctx, x, y, radius, css(colour));
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.clip();
  for (let band = 0; band < 5; band++) {
    const seed = hashOf(look.seed, 'band', index, band);
    const by = y + radius * (-0.8 + band * 0.4 + 0.15 * chance(seed, 1));
    oval(
      ctx,
      x + Math.sin(clock * 0.3 + band) * radius * 0.1,
      by,
      radius * 1.2,
      radius * (0.05 + 0.08 * chance(seed, 2)),
      css(lighten(colour, band % 2 === 0 ? 0.2 : -0.16), 0.7),
      -0.12,
    );
  }
  disc(ctx, x + radius * 0.42, y + radius * 0.32, radius * 1.16, css(rgb('#060816'), 0.3));
  ctx.restore();
  if (rings) ring(0, Math.PI);
}
