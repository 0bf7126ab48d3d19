import type { ActorKind } from '../../words/actor-words.ts';
import { aircraft } from './aircraft.ts';
import { boats } from './boats.ts';
import { buildings } from './buildings.ts';
import { isFourLegged } from './builds.ts';
import { fliers } from './fliers.ts';
import { drawFourLegged } from './four-legged.ts';
import { onWheels } from './on-wheels.ts';
import type { Pen } from './pen.ts';
import { people } from './people.ts';
import { plantsAndFires } from './plants-and-fires.ts';
import { shapes } from './shapes.ts';
import { swimmers } from './swimmers.ts';
import { things } from './things.ts';

const drawings: Readonly<Record<string, (pen: Pen) => void>> = {
  ...fliers,
  ...swimmers,
  ...people,
  ...boats,
  ...aircraft,
  ...onWheels,
  ...buildings,
  ...plantsAndFires,
  ...shapes,
  ...things,
};

export function drawKind(pen: Pen, kind: ActorKind): void {
  if (isFourLegged(kind)) drawFourLegged(pen, kind);
  else (drawings[kind] ?? drawings['ball'])?.(pen);
}

/** Colours that things have by nature, where the prompt gives none. */
export const natural: Readonly<Partial<Record<ActorKind, string>>> = {
  tree: '#5a9a55',
  pine: '#2f6e54',
  palm: '#3f8f5f',
  cactus: '#4c8f5a',
  whale: '#4a6d8c',
  duck: '#f4efe2',
  turtle: '#5c8f5a',
  cat: '#4b4f5c',
  dog: '#c08a52',
  fox: '#d9692f',
  horse: '#7c4f34',
  deer: '#a8713f',
  cow: '#f1ece2',
  sheep: '#f4efe6',
  bear: '#6e4b36',
  lion: '#d9a24c',
  elephant: '#8d949e',
  camel: '#c99a5f',
  giraffe: '#e0ac4e',
  rabbit: '#cfc4b6',
  bird: '#f4f1ea',
  robot: '#8fa3b5',
  pyramid: '#dcb26a',
  tower: '#5f6b7d',
  lamp: '#2f3644',
  lantern: '#e8643c',
  rocket: '#e4572e',
  satellite: '#c3cbd3',
  ufo: '#9fb0c4',
  comet: '#ffd98a',
  mushroom: '#d8433b',
  guitar: '#b8682f',
  heart: '#e0476a',
  star: '#f4c542',
  apple: '#d8433b',
  house: '#b5533c',
  castle: '#4a5f9a',
  lighthouse: '#d8433b',
  dragon: '#3f8f6a',
  fire: '#f2552c',
};

/** Those that have a side to turn to where they go. */
const noFace: ReadonlySet<ActorKind> = new Set([
  'balloon',
  'toyballoon',
  'lantern',
  'rocket',
  'ufo',
  'tree',
  'house',
  'castle',
  'lighthouse',
  'tower',
  'clock',
  'guitar',
  'book',
  'cup',
  'planet',
]);
export const hasFace = (kind: ActorKind): boolean => !noFace.has(kind);

/** Those that do not leave their place unless told to. */
const rooted: ReadonlySet<ActorKind> = new Set([
  'tree',
  'pine',
  'palm',
  'cactus',
  'flower',
  'mushroom',
  'house',
  'castle',
  'lighthouse',
  'windmill',
  'tower',
  'tent',
  'fire',
  'candle',
  'umbrella',
  'pyramid',
  'cup',
  'book',
  'clock',
  'lamp',
  'snowman',
  'guitar',
  'apple',
  'cube',
  'triangle',
  'planet',
]);
export const isRooted = (kind: ActorKind): boolean => rooted.has(kind);
