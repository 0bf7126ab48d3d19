import { chance, pick } from '../random.ts';
import { colours } from '../words/colour-words.ts';
import type { ColourName } from '../words/colour-words.ts';
import type { Look } from '../words/look.ts';
import type { Place, Time } from '../words/scene.ts';
import { brightness, lighten, mix, multiply, rgb, saturate, turn } from './colour.ts';
import type { Rgb } from './colour.ts';

/** All colours of a shot, lit already. */
export interface Palette {
  /** From the zenith to the horizon. */
  readonly sky: readonly [Rgb, Rgb, Rgb];
  readonly sun: Rgb;
  readonly haze: Rgb;
  /** The ground from far to near. */
  readonly land: readonly [Rgb, Rgb, Rgb];
  readonly water: readonly [Rgb, Rgb];
  /** Windows, lamps. */
  readonly glow: Rgb;
  /** The darkest: trunks, outlines. */
  readonly ink: Rgb;
  readonly night: boolean;
  /** A thing's colour in the light of the scene. */
  lit(colour: Rgb): Rgb;
  /** The colour an actor without one gets; `index` tells several apart. */
  accent(index: number): Rgb;
  /** An accent that shines by itself. */
  bright(index: number): Rgb;
  named(name: ColourName): Rgb;
  /** A colour in the light that falls on actors: never so dim that they are lost. */
  shown(colour: Rgb): Rgb;
}

interface Hour {
  readonly sky: readonly [string, string, string];
  readonly sun: string;
  readonly light: string;
}

const hours: Readonly<Record<Time, readonly Hour[]>> = {
  day: [
    { sky: ['#3f93d8', '#86c5ec', '#e2f2f4'], sun: '#fff6d8', light: '#ffffff' },
    { sky: ['#4aa6c9', '#97d3d6', '#f5f0d9'], sun: '#fff2c4', light: '#fffaf0' },
  ],
  dawn: [
    { sky: ['#5a6fae', '#d49fb9', '#ffdfb8'], sun: '#fff0cf', light: '#ffd9cf' },
    { sky: ['#6c83b5', '#e6b0a8', '#ffe9c7'], sun: '#fff3d6', light: '#ffe0c8' },
  ],
  sunset: [
    { sky: ['#35295f', '#c24d7b', '#ffb45f'], sun: '#ffe2a0', light: '#e3a08f' },
    { sky: ['#2c3a68', '#d9685d', '#ffc873'], sun: '#ffe8b0', light: '#eaa684' },
  ],
  night: [
    { sky: ['#070c22', '#14224a', '#34487a'], sun: '#f1efdc', light: '#5a6ca6' },
    { sky: ['#0a0a20', '#221d4c', '#4a3f7c'], sun: '#f4ecd8', light: '#6a66a8' },
  ],
};

const lands: Readonly<Record<Place, readonly [string, string, string]>> = {
  sea: ['#6f93a5', '#4d7a80', '#2f5a62'],
  beach: ['#8fae9a', '#e3cf9f', '#d9be86'],
  lake: ['#86a889', '#5f8f6a', '#3e6f52'],
  underwater: ['#2f6f8f', '#2a5a72', '#c9b485'],
  city: ['#8da2b8', '#5f7690', '#3d4f66'],
  village: ['#9dbb7d', '#7ba55f', '#5c8a4a'],
  road: ['#a3b977', '#86a35c', '#6b8a4b'],
  forest: ['#7ea58b', '#437a5c', '#22503f'],
  mountains: ['#8ea4c0', '#5f7f8f', '#3c6455'],
  meadow: ['#a9c97c', '#7fb35c', '#568f47'],
  desert: ['#e6c08a', '#d99e5f', '#b9743f'],
  snowfield: ['#cfdfec', '#e6eff6', '#f6fafc'],
  space: ['#3a3468', '#5a4f86', '#8b83a8'],
  room: ['#d9b99b', '#c59a78', '#7a5440'],
  abstract: ['#e9e2d0', '#e6b54a', '#2f3e5c'],
};

const seasons: Readonly<Record<NonNullable<Look['season']>, string>> = {
  spring: '#8fd07a',
  summer: '#7fb84a',
  autumn: '#d9822f',
  winter: '#eef5fa',
};
const green: ReadonlySet<Place> = new Set(['lake', 'village', 'road', 'forest', 'mountains', 'meadow']);

const accents = ['#e4572e', '#f3a712', '#f6efe2', '#d6436e', '#3fa7a0', '#5b7fe0', '#f07f5a', '#8d6ad6'].map(rgb);

export function paletteOf(look: Look): Palette {
  const { seed, time, weather, mood, tints, season } = look;
  const hour = pick(hours[time], seed, 'hour');
  const drift = (chance(seed, 'hue') - 0.5) * 22;
  const tint = tints.map((name) => rgb(colours[name]));
  const night = time === 'night';

  const grade = (colour: Rgb): Rgb => {
    let graded = colour;
    if (mood === 'joyful') graded = lighten(saturate(graded, 1.2), 0.05);
    if (mood === 'dark') graded = lighten(saturate(graded, 0.55), night ? -0.16 : -0.32);
    if (mood === 'dreamy') graded = mix(graded, [205, 170, 232], 0.2);
    if (mood === 'epic') graded = saturate(graded, 1.18);
    if (mood === 'calm') graded = saturate(graded, 0.9);
    return graded;
  };
  const grey = rgb(night ? '#232b3c' : time === 'day' ? '#a9b6c2' : '#8c8395');
  const cover = { clear: 0, clouds: 0.4, rain: 0.62, storm: 0.78, snow: 0.5, fog: 0.6, petals: 0, embers: 0.15 }[
    weather
  ];
  const skyAt = (at: 0 | 1 | 2): Rgb => {
    let colour = turn(rgb(hour.sky[at]), drift);
    const hue = tint[Math.min(at, tint.length - 1)] ?? tint[0];
    if (hue)
      colour = mix(colour, night ? lighten(hue, -0.55) : at === 2 ? lighten(hue, 0.3) : hue, at === 0 ? 0.5 : 0.6);
    colour = mix(colour, lighten(grey, (weather === 'storm' ? -0.35 : 0) + at * 0.12), cover);
    if (weather === 'embers') colour = mix(colour, rgb('#7a2a1c'), at * 0.28);
    return grade(colour);
  };
  const sky = [skyAt(0), skyAt(1), skyAt(2)] as const;
  const haze = mix(sky[2], sky[1], 0.35);
  const light = mix(rgb(hour.light), grey, cover * 0.5);
  const lit = (colour: Rgb): Rgb => grade(mix(multiply(colour, light), sky[1], night ? 0.12 : 0.05));

  const landAt = (at: 0 | 1 | 2): Rgb => {
    let colour = turn(rgb(lands[look.place][at]), drift * 0.6);
    if (season && green.has(look.place)) colour = mix(colour, rgb(seasons[season]), season === 'winter' ? 0.85 : 0.5);
    else if (weather === 'snow' && look.place !== 'city') colour = mix(colour, rgb('#edf3f8'), 0.7);
    const hue = tint[at] ?? tint[0];
    if (hue) colour = mix(colour, hue, 0.24);
    return mix(lit(colour), haze, [0.42, 0.2, 0.04][at] ?? 0);
  };
  const land = [landAt(0), landAt(1), landAt(2)] as const;
  const sea = mix(rgb(night ? '#0f2a4d' : '#1f6f92'), tint[0] ?? sky[0], tint[0] ? 0.45 : 0.3);
  const water = [
    mix(grade(sea), sky[2], 0.5),
    lighten(grade(multiply(sea, mix(light, [255, 255, 255], 0.35))), -0.12),
  ] as const;

  const start = Math.floor(chance(seed, 'accent') * accents.length);
  const accentAt = (index: number): Rgb => accents[(start + index * 3) % accents.length] ?? [228, 87, 46];
  const own = look.place === 'space' ? 0.72 : night ? 0.42 : 0.25;
  const shown = (colour: Rgb): Rgb => mix(lit(colour), grade(colour), own);
  return {
    sky,
    sun: grade(rgb(hour.sun)),
    haze,
    land,
    water,
    glow: rgb('#ffd98a'),
    ink: lighten(mix(land[2], sky[0], 0.4), brightness(land[2]) > 0.5 ? -0.6 : -0.55),
    night,
    lit,
    shown,
    accent: (index) => shown(accentAt(index)),
    bright: (index) => mix(accentAt(index), [255, 250, 235], 0.35),
    named: (name) => mix(shown(rgb(colours[name])), rgb(colours[name]), 0.3),
  };
}
