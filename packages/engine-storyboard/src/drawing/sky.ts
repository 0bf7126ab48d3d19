import { chance, hashOf } from '../random.ts';
import { css, lighten, mix, rgb } from './colour.ts';
import { atDepth, disc, glow, line, margin, oval, wash } from './stage.ts';
import type { Stage } from './stage.ts';

export function drawSky(stage: Stage): void {
  const { look, palette, height, horizon } = stage;
  atDepth(stage, 0, () =>
    wash(stage, -height * 0.6, horizon + height * 0.12, [
      palette.sky[0],
      palette.sky[0],
      palette.sky[1],
      palette.sky[2],
    ]),
  );
  atDepth(stage, 0.04, () => {
    if (look.sky.includes('aurora')) drawAurora(stage);
    if (look.sky.includes('stars')) drawStars(stage, 0.95);
    if (look.sky.includes('moon')) drawMoon(stage);
    if (look.sky.includes('sun')) drawSun(stage);
    if (look.sky.includes('rainbow')) drawRainbow(stage);
    if (look.sky.includes('fireworks')) drawFireworks(stage);
  });
  drawClouds(stage);
}

/** Where the light comes from: kept in remixes, so that night falls on the same picture. */
export function sunAt({ look, width, height, horizon, clock }: Stage): readonly [number, number] {
  const x = width * (0.26 + 0.48 * chance(look.seed, 'sun'));
  const low = look.time === 'sunset' || look.time === 'dawn';
  const moves = (look.time === 'dawn' ? -1 : 1) * clock * 0.006 * height;
  const y = low ? horizon - height * 0.1 + moves : horizon - height * (0.36 + 0.1 * chance(look.seed, 'sun-y'));
  return [x, y];
}

function drawSun(stage: Stage): void {
  const { ctx, palette, look, unit } = stage;
  const [x, y] = sunAt(stage);
  const low = look.time === 'sunset' || look.time === 'dawn';
  const radius = unit * (low ? 0.42 : 0.26);
  glow(ctx, x, y, radius * (low ? 7 : 5), palette.sun, low ? 0.6 : 0.5);
  disc(ctx, x, y, radius, css(palette.sun));
}

function drawMoon(stage: Stage): void {
  const { ctx, palette, unit } = stage;
  const [x, y] = sunAt({ ...stage, look: { ...stage.look, time: 'night' } });
  const radius = unit * 0.28;
  const colour = mix(palette.sun, rgb('#f4f1e0'), 0.6);
  glow(ctx, x, y, radius * 5, colour, 0.3);
  disc(ctx, x, y, radius, css(colour));
  const shade = css(mix(colour, palette.sky[1], 0.22));
  disc(ctx, x - radius * 0.3, y - radius * 0.2, radius * 0.2, shade);
  disc(ctx, x + radius * 0.32, y + radius * 0.24, radius * 0.27, shade);
  disc(ctx, x + radius * 0.22, y - radius * 0.48, radius * 0.11, shade);
}

export function drawStars(stage: Stage, reach: number): void {
  const { ctx, look, width, height, clock, unit } = stage;
  const count = 130;
  for (let at = 0; at < count; at++) {
    const key = hashOf(look.seed, 'star', at);
    const x = (chance(key, 1) * (1 + margin) - margin / 2) * width;
    const y = (chance(key, 2) * 1.1 - 0.1) * height * reach;
    const twinkle = 0.55 + 0.45 * Math.sin(clock * (1 + 2 * chance(key, 3)) + at);
    const size = unit * (0.006 + 0.011 * chance(key, 4) ** 3);
    ctx.fillStyle = css([255, 250, 235], twinkle * (0.4 + 0.6 * chance(key, 5)));
    ctx.fillRect(x - size, y - size, size * 2, size * 2);
  }
}

function drawRainbow(stage: Stage): void {
  const { ctx, width, horizon, look } = stage;
  const bands = ['#d8433b', '#ee8434', '#f4c542', '#4c9f5a', '#3f7fd0', '#7f5bb5'];
  const x = width * (0.35 + 0.3 * chance(look.seed, 'rainbow'));
  const radius = Math.min(width * 0.62, horizon * 0.75);
  ctx.lineCap = 'butt';
  for (const [at, colour] of bands.entries()) {
    ctx.beginPath();
    ctx.arc(x, horizon + radius * 0.1, radius - at * radius * 0.035, Math.PI, 0);
    ctx.lineWidth = radius * 0.036;
    ctx.strokeStyle = css(rgb(colour), 0.55);
    ctx.stroke();
  }
}

function drawAurora(stage: Stage): void {
  const { ctx, width, horizon, look, clock } = stage;
  const bands = [rgb('#4fe3a1'), rgb('#49c7d9'), rgb('#a877e8')];
  for (const [band, colour] of bands.entries()) {
    const top = horizon * (0.08 + band * 0.1);
    const gradient = ctx.createLinearGradient(0, top, 0, top + horizon * 0.62);
    gradient.addColorStop(0, css(colour, 0));
    gradient.addColorStop(0.55, css(colour, 0.36));
    gradient.addColorStop(1, css(colour, 0));
    ctx.beginPath();
    const steps = 26;
    const waves = (x: number, shift: number) =>
      Math.sin(x * 5 + band * 2 + clock * 0.5 + chance(look.seed, 'aurora', band) * 6) * horizon * 0.06 + shift;
    for (let at = 0; at <= steps; at++) {
      const x = at / steps;
      ctx.lineTo((x * (1 + margin) - margin / 2) * width, waves(x, top));
    }
    for (let at = steps; at >= 0; at--) {
      const x = at / steps;
      const height = horizon * (0.4 + 0.14 * Math.sin(x * 17 + clock * 0.8 + band));
      ctx.lineTo((x * (1 + margin) - margin / 2) * width, waves(x, top + height));
    }
    ctx.closePath();
    ctx.fillStyle = gradient;
    ctx.fill();
  }
}

function drawFireworks(stage: Stage): void {
  const { ctx, width, horizon, unit, look, clock, palette } = stage;
  for (let burst = 0; burst < 5; burst++) {
    const period = 2.1;
    const age = ((((clock + burst * 0.47) % period) + period) % period) / period;
    const round = Math.floor((clock + burst * 0.47) / period);
    const key = hashOf(look.seed, 'burst', burst, round);
    const x = width * (0.12 + 0.76 * chance(key, 1));
    const y = horizon * (0.16 + 0.42 * chance(key, 2));
    const colour = palette.bright(burst);
    const radius = unit * (0.5 + 0.5 * chance(key, 3)) * (1 - (1 - age) ** 3);
    const fade = Math.max(0, 1 - age ** 2);
    glow(ctx, x, y, unit * 1.2, colour, 0.42 * fade);
    for (let ray = 0; ray < 18; ray++) {
      const angle = (ray / 18) * Math.PI * 2 + chance(key, 4);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const drop = age * age * unit * 0.18;
      line(
        ctx,
        [
          [x + cos * radius * 0.72, y + sin * radius * 0.72 + drop * 0.7],
          [x + cos * radius, y + sin * radius + drop],
        ],
        css(colour, fade),
        unit * 0.024,
      );
    }
  }
}

function drawClouds(stage: Stage): void {
  const { ctx, look, palette, width, horizon, clock, unit, height } = stage;
  const { weather, seed, heading } = look;
  const heavy = weather === 'clouds' || weather === 'rain' || weather === 'storm' || weather === 'snow';
  const count = heavy ? 11 : look.time === 'night' ? 2 : 4;
  if (weather === 'fog' || look.place === 'space') return;
  for (let at = 0; at < count; at++) {
    const key = hashOf(seed, 'cloud', at);
    const depth = 0.05 + 0.14 * chance(key, 1);
    const size = unit * (0.42 + 0.55 * chance(key, 2)) * (heavy ? 1.7 : 1);
    const span = 1 + 2 * margin;
    const drift = chance(key, 3) * span + heading * clock * 0.012 * (1 + depth * 4);
    const x = ((((drift % span) + span) % span) - margin) * width;
    const y = horizon * (0.08 + (heavy ? 0.4 : 0.56) * chance(key, 4)) + height * 0.02;
    const colour = heavy
      ? mix(palette.sky[1], lighten(palette.sky[0], weather === 'storm' ? -0.25 : 0.2), 0.55)
      : mix(palette.sky[2], [255, 255, 255], palette.night ? 0 : 0.5);
    const fill = css(colour, heavy ? 0.82 : palette.night ? 0.3 : 0.72);
    const shade = css(mix(colour, palette.sky[0], 0.16), heavy ? 0.8 : 0.4);
    atDepth(stage, depth, () => {
      const puffs = 6;
      const foot = y + size * 0.1;
      ctx.save();
      ctx.beginPath();
      ctx.rect(x - size * 2, y - size * 2, size * 4, size * 2.1);
      ctx.clip();
      ctx.beginPath();
      for (let puff = 0; puff < puffs; puff++) {
        const px = x + (puff / (puffs - 1) - 0.5) * size * 1.5;
        const arch = Math.sin(((puff + 0.55) / puffs) * Math.PI);
        const radius = size * (0.1 + 0.17 * arch + 0.09 * chance(key, 5, puff));
        ctx.moveTo(px + radius, y);
        ctx.arc(px, y - radius * 0.25, radius, 0, Math.PI * 2);
      }
      ctx.roundRect(x - size * 1.02, y - size * 0.1, size * 2.04, size * 0.2, size * 0.1);
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.restore();
      if (!palette.night) oval(ctx, x + size * 0.1, foot - size * 0.05, size * 0.8, size * 0.032, shade);
    });
  }
}
