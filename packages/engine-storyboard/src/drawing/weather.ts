import { chance, hashOf } from '../random.ts';
import { css, mix, rgb } from './colour.ts';
import { disc, glow, line, margin, oval } from './stage.ts';
import type { Stage } from './stage.ts';

/** What falls or hangs between the scene and the camera. */
export function drawWeather(stage: Stage): void {
  const { look } = stage;
  if (look.place === 'underwater' || look.place === 'space' || look.place === 'room') return;
  switch (look.weather) {
    case 'rain':
      drawRain(stage, 130, 1);
      break;
    case 'storm':
      drawLightning(stage);
      drawRain(stage, 190, 1.5);
      break;
    case 'snow':
      drawFlakes(stage);
      break;
    case 'fog':
      drawFog(stage);
      break;
    case 'petals':
      drawPetals(stage);
      break;
    case 'embers':
      drawEmbers(stage);
      break;
    case 'clear':
    case 'clouds':
      break;
  }
}

function wrap(value: number): number {
  return ((value % 1) + 1) % 1;
}

function drawRain(stage: Stage, count: number, force: number): void {
  const { ctx, look, width, height, clock, unit, palette } = stage;
  const slant = 0.12 * look.heading * force;
  for (const near of [0, 1]) {
    ctx.beginPath();
    for (let at = 0; at < count / (near + 1); at++) {
      const seed = hashOf(look.seed, 'drop', near, at);
      const fall = wrap(chance(seed, 1) + clock * (0.95 + 0.5 * chance(seed, 2)) * (1 + near * 0.5));
      const long = unit * (0.09 + 0.08 * near) * force;
      const y = fall * (height + 2 * long) - long;
      const x = wrap(chance(seed, 3) + slant * fall) * width * 1.2 - width * 0.1;
      ctx.moveTo(x, y);
      ctx.lineTo(x - slant * long * -1.6, y + long);
    }
    ctx.lineWidth = unit * (0.007 + 0.006 * near);
    ctx.strokeStyle = css(mix(palette.sky[2], [255, 255, 255], 0.55), 0.34 + near * 0.14);
    ctx.stroke();
  }
}

function drawLightning(stage: Stage): void {
  const { ctx, look, width, height, horizon, clock, unit } = stage;
  const period = 1.7;
  const round = Math.floor(clock / period);
  const age = clock - round * period;
  const start = 0.25 + 0.7 * chance(look.seed, 'strike', round);
  const since = age - start;
  if (since < 0 || since > 0.42) return;
  const fade = 1 - since / 0.42;
  ctx.fillStyle = css([230, 235, 255], 0.3 * fade ** 2);
  ctx.fillRect(0, 0, width, height);
  const points: [number, number][] = [];
  let x = width * (0.15 + 0.7 * chance(look.seed, 'bolt', round));
  for (let joint = 0; joint <= 9; joint++) {
    points.push([x, (joint / 9) * horizon]);
    x += (chance(look.seed, 'joint', round, joint) - 0.5) * unit * 0.42;
  }
  line(ctx, points, css([210, 220, 255], 0.35 * fade), unit * 0.07);
  line(ctx, points, css([255, 255, 255], fade), unit * 0.022);
}

function drawFlakes(stage: Stage): void {
  const { ctx, look, width, height, clock, unit } = stage;
  const wind = look.mood === 'calm' ? 0.02 : 0.05;
  for (let at = 0; at < 150; at++) {
    const seed = hashOf(look.seed, 'flake', at);
    const near = chance(seed, 1);
    const fall = wrap(chance(seed, 2) + clock * (0.05 + 0.1 * near));
    const x = wrap(chance(seed, 3) + wind * look.heading * clock * (0.4 + near) + Math.sin(clock * 1.3 + at) * 0.012);
    disc(
      ctx,
      x * width * 1.1 - width * 0.05,
      fall * height * 1.08 - height * 0.04,
      unit * (0.008 + 0.022 * near ** 2),
      css([255, 255, 255], 0.5 + 0.45 * near),
    );
  }
}

function drawFog(stage: Stage): void {
  const { ctx, look, palette, width, height, horizon, clock } = stage;
  const colour = mix(palette.haze, [255, 255, 255], palette.night ? 0.05 : 0.3);
  for (let bank = 0; bank < 5; bank++) {
    const y = horizon + height * (-0.12 + bank * 0.085);
    const x = width * (0.5 + 0.3 * Math.sin(clock * 0.15 * look.heading + bank * 2.1));
    const gradient = ctx.createLinearGradient(0, y - height * 0.09, 0, y + height * 0.09);
    gradient.addColorStop(0, css(colour, 0));
    gradient.addColorStop(0.5, css(colour, 0.5));
    gradient.addColorStop(1, css(colour, 0));
    ctx.fillStyle = gradient;
    ctx.fillRect(-margin * width, y - height * 0.09, (1 + 2 * margin) * width, height * 0.18);
    oval(ctx, x, y, width * 0.5, height * 0.03, css(colour, 0.22));
  }
}

function drawPetals(stage: Stage): void {
  const { ctx, look, palette, width, height, clock, unit } = stage;
  const autumn = look.season === 'autumn';
  const shades = autumn ? ['#d9822f', '#c9552f', '#e3b04a'] : ['#f7c5d3', '#f2a3bd', '#fde3ea'];
  for (let at = 0; at < 60; at++) {
    const seed = hashOf(look.seed, 'petal', at);
    const near = 0.4 + 0.6 * chance(seed, 1);
    const fall = wrap(chance(seed, 2) + clock * 0.07 * near);
    const x = wrap(chance(seed, 3) + look.heading * clock * 0.05 * near + Math.sin(clock * 1.1 + at) * 0.02);
    const turn = clock * (1 + chance(seed, 4)) + at;
    const size = unit * 0.034 * near;
    const colour = palette.lit(rgb(shades[at % shades.length] ?? '#f7c5d3'));
    oval(
      ctx,
      x * width * 1.1 - width * 0.05,
      fall * height * 1.1 - height * 0.05,
      size,
      size * (0.25 + 0.3 * Math.abs(Math.sin(turn))),
      css(colour, 0.92),
      turn,
    );
  }
}

function drawEmbers(stage: Stage): void {
  const { ctx, look, width, height, clock, unit } = stage;
  glow(ctx, width / 2, height, Math.max(width, height) * 0.55, rgb('#ff7a33'), 0.3);
  for (let at = 0; at < 70; at++) {
    const seed = hashOf(look.seed, 'ember', at);
    const rise = wrap(chance(seed, 1) + clock * (0.06 + 0.12 * chance(seed, 2)));
    const x = chance(seed, 3) * width + Math.sin(clock * 1.6 + at) * unit * 0.08;
    const fade = Math.sin(rise * Math.PI);
    disc(
      ctx,
      x,
      height * (1.02 - rise),
      unit * (0.006 + 0.014 * chance(seed, 4)),
      css(at % 3 === 0 ? [255, 220, 130] : [255, 140, 60], fade),
    );
  }
}
