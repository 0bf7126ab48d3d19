import { hashOf, pick } from '../random.ts';
import { actorEntries } from './actor-words.ts';
import type { Actor, Camera, Mood, Place, Scene, SkyThing, Time, Weather } from './scene.ts';

/** A scene in which nothing is left open. */
export interface Look {
  readonly place: Place;
  readonly behind: readonly Place[];
  readonly time: Time;
  readonly weather: Weather;
  readonly season: Scene['season'];
  readonly mood: Mood;
  readonly sky: readonly SkyThing[];
  readonly tints: Scene['tints'];
  readonly actors: readonly Actor[];
  readonly camera: Camera;
  readonly pace: number;
  readonly heading: -1 | 1;
  /** What layout and colours are drawn from. The same in a remix as in its source. */
  readonly seed: number;
}

const homes: Readonly<Record<string, Place>> = {
  sailboat: 'sea',
  ship: 'sea',
  whale: 'sea',
  lighthouse: 'sea',
  duck: 'lake',
  fish: 'underwater',
  jellyfish: 'underwater',
  turtle: 'underwater',
  submarine: 'underwater',
  rocket: 'space',
  ufo: 'space',
  satellite: 'space',
  planet: 'space',
  comet: 'space',
  astronaut: 'space',
  car: 'road',
  bus: 'city',
  bicycle: 'road',
  robot: 'city',
  person: 'city',
  lamp: 'city',
  umbrella: 'city',
  palm: 'beach',
  cactus: 'desert',
  camel: 'desert',
  pyramid: 'desert',
  bear: 'forest',
  fox: 'forest',
  deer: 'forest',
  mushroom: 'forest',
  pine: 'forest',
  castle: 'mountains',
  tent: 'mountains',
  snowman: 'snowfield',
  dragon: 'mountains',
  cup: 'room',
  book: 'room',
  clock: 'room',
  guitar: 'room',
  candle: 'room',
  apple: 'room',
  ball: 'abstract',
  cube: 'abstract',
  triangle: 'abstract',
  heart: 'abstract',
};

/** Fills in what the prompt leaves open: what it implies first, then the seed. */
export function lookOf(scene: Scene, seed: number): Look {
  const place = scene.place ?? impliedPlace(scene, seed);
  const weather =
    scene.weather ??
    (scene.season === 'winter' && scene.sky.length === 0 && place !== 'space' && place !== 'underwater'
      ? 'snow'
      : 'clear');
  const time = scene.time ?? impliedTime(scene, place, seed);
  const stars = time === 'night' && weather === 'clear' && !scene.sky.includes('stars') ? (['stars'] as const) : [];
  const light = place === 'room' || place === 'abstract' || scene.sky.includes('moon') || scene.sky.includes('sun');
  const disc =
    light || weather === 'rain' || weather === 'storm' ? [] : [time === 'night' ? ('moon' as const) : ('sun' as const)];
  return {
    place,
    behind: scene.behind.filter((other) => other !== place),
    time,
    weather,
    season: scene.season,
    mood: scene.mood ?? 'plain',
    sky: [...scene.sky, ...stars, ...disc],
    tints: scene.tints,
    actors: scene.actors,
    camera: scene.camera ?? pick(['left', 'right', 'in', 'in', 'out', 'left', 'right'] as const, seed, 'camera'),
    pace: scene.pace * (scene.mood === 'calm' ? 0.75 : 1),
    heading: scene.heading ?? pick([-1, 1] as const, seed, 'heading'),
    seed,
  };
}

function impliedPlace(scene: Scene, seed: number): Place {
  for (const { kind } of scene.actors) {
    const home = homes[kind];
    if (home) return home;
  }
  const first = scene.actors[0];
  const grounded = scene.actors.some(({ kind }) => actorEntries[kind].habitat === 'ground');
  if (first && !grounded) return pick(['meadow', 'mountains', 'lake'] as const, seed, 'place');
  if (first) return 'meadow';
  if (scene.season === 'winter' || scene.weather === 'snow') return 'snowfield';
  if (scene.sky.length > 0 || scene.time || (scene.weather && scene.weather !== 'clear') || scene.season) {
    return pick(['mountains', 'meadow', 'lake'] as const, seed, 'place');
  }
  return 'abstract';
}

function impliedTime(scene: Scene, place: Place, seed: number): Time {
  if (place === 'space' || scene.sky.some((thing) => thing !== 'sun' && thing !== 'rainbow')) return 'night';
  if (scene.mood === 'dark' || scene.weather === 'embers') return 'night';
  if (scene.actors.some(({ kind }) => kind === 'fire' || kind === 'candle' || kind === 'lantern')) return 'night';
  if (scene.sky.includes('rainbow') || scene.weather || place === 'room' || place === 'underwater') return 'day';
  if (scene.mood === 'joyful') return 'day';
  if (scene.mood === 'dreamy') return 'dawn';
  if (scene.mood === 'epic') return 'sunset';
  return pick(['day', 'day', 'sunset', 'dawn'] as const, hashOf(seed, 'time'));
}
