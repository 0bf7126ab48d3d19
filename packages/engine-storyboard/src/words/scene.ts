import type { ActorKind } from './actor-words.ts';
import type { ColourName } from './colour-words.ts';

export const places = [
  'sea',
  'beach',
  'lake',
  'underwater',
  'city',
  'village',
  'road',
  'forest',
  'mountains',
  'meadow',
  'desert',
  'snowfield',
  'space',
  'room',
  'abstract',
] as const;
export type Place = (typeof places)[number];
export type Time = 'day' | 'dawn' | 'sunset' | 'night';
export type Weather = 'clear' | 'clouds' | 'rain' | 'storm' | 'snow' | 'fog' | 'petals' | 'embers';
export type SkyThing = 'sun' | 'moon' | 'stars' | 'rainbow' | 'aurora' | 'fireworks';
export type Mood = 'plain' | 'calm' | 'joyful' | 'dark' | 'dreamy' | 'epic';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
export type Camera = 'still' | 'left' | 'right' | 'up' | 'down' | 'in' | 'out' | 'follow';
export type Move =
  | 'still'
  | 'walk'
  | 'run'
  | 'fly'
  | 'float'
  | 'rise'
  | 'fall'
  | 'jump'
  | 'spin'
  | 'dance'
  | 'circle'
  | 'grow'
  | 'shrink';

/** Something in the scene that moves. */
export interface Actor {
  readonly kind: ActorKind;
  readonly count: number;
  readonly colour: ColourName | undefined;
  readonly move: Move | undefined;
  /** 1 is its ordinary size. */
  readonly size: number;
}

/** What one prompt, or one part of it, says. What it leaves open is `undefined`: then the seed decides. */
export interface Scene {
  readonly place: Place | undefined;
  /** Farther away than the place: a town behind the sea. */
  readonly behind: readonly Place[];
  readonly time: Time | undefined;
  readonly weather: Weather | undefined;
  readonly season: Season | undefined;
  readonly mood: Mood | undefined;
  readonly sky: readonly SkyThing[];
  /** Colours that belong to no actor tint the whole. */
  readonly tints: readonly ColourName[];
  readonly actors: readonly Actor[];
  readonly camera: Camera | undefined;
  /** 1 is ordinary, 2 fast, 0.5 slow. */
  readonly pace: number;
  /** To the left, to the right, or as the seed has it. */
  readonly heading: -1 | 1 | undefined;
  /** Words that mean nothing here shape it by their hash alone. */
  readonly unknown: readonly string[];
}

export const emptyScene: Scene = {
  place: undefined,
  behind: [],
  time: undefined,
  weather: undefined,
  season: undefined,
  mood: undefined,
  sky: [],
  tints: [],
  actors: [],
  camera: undefined,
  pace: 1,
  heading: undefined,
  unknown: [],
};
