import type { Place } from '../words/scene.ts';
import { drawAbstract, drawRoom } from './inside.ts';
import { drawDunes, drawForest, drawHills, drawMeadow, drawPeaks, drawRidge, drawRoad } from './land.ts';
import { drawSpace } from './outer-space.ts';
import { drawPalm } from './plants.ts';
import { css, mix } from './colour.ts';
import { drawSky } from './sky.ts';
import { atDepth } from './stage.ts';
import type { Stage } from './stage.ts';
import { drawCity, drawSkyline, drawVillage } from './town.ts';
import { drawBeach, drawUnderwater, drawWater } from './water.ts';

interface Setting {
  /** Where the horizon is, parts of the height. */
  readonly horizon: number;
  /** Where those on the ground stand. */
  readonly ground: number;
  draw(stage: Stage): void;
}

/** What is behind the place, where it has a horizon. */
function drawBehind(stage: Stage, base: number): void {
  for (const place of stage.look.behind) {
    if (place === 'mountains') drawPeaks(stage, base);
    if (place === 'city') drawSkyline(stage, base + 0.005);
    if (place === 'forest') drawForest(stage, base - 0.005, [0]);
    if (place === 'village') drawVillage(stage, base + 0.005, 0.2);
  }
}

function open(horizon: number, ground: number, draw: (stage: Stage) => void): Setting {
  return {
    horizon,
    ground,
    draw: (stage) => {
      drawSky(stage);
      draw(stage);
      if (stage.look.behind.includes('road') && ground > 0.78) drawRoad(stage, 0.585);
    },
  };
}

function drawIsles(stage: Stage): void {
  const { palette } = stage;
  if (stage.look.behind.length === 0) {
    drawRidge(stage, {
      key: 'isles',
      depth: 0.12,
      base: stage.horizon / stage.height + 0.04,
      swing: 0.045,
      waves: 1.3,
      octaves: 3,
      colour: mix(palette.land[0], palette.haze, 0.5),
    });
  }
  drawBehind(stage, stage.horizon / stage.height + 0.01);
}

export const settings: Readonly<Record<Place, Setting>> = {
  sea: open(0.6, 0.74, (stage) => {
    drawIsles(stage);
    drawWater(stage);
  }),
  beach: open(0.56, 0.77, (stage) => {
    drawIsles(stage);
    drawWater(stage, 0.8);
    drawBeach(stage);
    atDepth(stage, 0.9, () => {
      const { width, height, unit, clock, palette, ctx } = stage;
      const leaf = mix(palette.lit([62, 140, 92]), palette.ink, 0.1);
      drawPalm(ctx, width * 0.02, height * 0.83, unit * 2.1, leaf, palette.ink, 0.025 * Math.sin(clock));
      drawPalm(
        ctx,
        width * 0.97,
        height * 0.79,
        unit * 1.55,
        mix(leaf, palette.haze, 0.12),
        palette.ink,
        0.025 * Math.sin(clock + 1),
      );
    });
  }),
  lake: open(0.58, 0.74, (stage) => {
    drawPeaks(stage, 0.56);
    drawForest(stage, 0.565, [0]);
    drawBehind(stage, 0.57);
    drawWater(stage, 0.45);
  }),
  underwater: { horizon: 0.1, ground: 0.84, draw: drawUnderwater },
  city: open(0.62, 0.79, (stage) => {
    drawBehind(stage, 0.6);
    drawCity(stage, 0.62);
  }),
  village: open(0.6, 0.79, (stage) => {
    drawBehind(stage, 0.57);
    drawHills(stage, 0.58);
    drawVillage(stage, 0.675);
    drawMeadow(stage, 0.58);
  }),
  road: open(0.6, 0.815, (stage) => {
    drawBehind(stage, 0.58);
    drawHills(stage, 0.58);
    drawMeadow(stage, 0.57);
    drawRoad(stage, 0.6);
  }),
  forest: open(0.6, 0.8, (stage) => {
    drawBehind(stage, 0.52);
    drawForest(stage, 0.6);
    drawMeadow(stage, 0.6);
  }),
  mountains: open(0.6, 0.79, (stage) => {
    drawPeaks(stage, 0.56);
    drawBehind(stage, 0.6);
    drawForest(stage, 0.61, [0, 1]);
    drawMeadow(stage, 0.59);
  }),
  meadow: open(0.6, 0.79, (stage) => {
    drawBehind(stage, 0.56);
    drawHills(stage, 0.57);
    drawMeadow(stage, 0.58);
  }),
  desert: open(0.6, 0.79, (stage) => {
    drawBehind(stage, 0.6);
    drawDunes(stage, 0.6);
  }),
  snowfield: open(0.6, 0.79, (stage) => {
    drawPeaks(stage, 0.56);
    drawBehind(stage, 0.58);
    drawHills(stage, 0.6);
  }),
  space: { horizon: 0.9, ground: 0.72, draw: drawSpace },
  room: { horizon: 0.5, ground: 0.775, draw: drawRoom },
  abstract: { horizon: 0.6, ground: 0.66, draw: drawAbstract },
};

/** A soft darkening at the foot, for the caption to stand on. */
export function drawScrim(stage: Stage): void {
  const { ctx, width, height } = stage;
  const gradient = ctx.createLinearGradient(0, height * 0.74, 0, height);
  gradient.addColorStop(0, css([8, 10, 20], 0));
  gradient.addColorStop(0.55, css([8, 10, 20], 0.42));
  gradient.addColorStop(1, css([8, 10, 20], 0.62));
  ctx.fillStyle = gradient;
  ctx.fillRect(0, height * 0.74, width, height * 0.26);
}
