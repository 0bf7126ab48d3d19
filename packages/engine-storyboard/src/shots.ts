import { chance, hashOf, pick } from './random.ts';
import type { Beat } from './words/story.ts';
import { lookOf } from './words/look.ts';
import type { Look } from './words/look.ts';
import type { Camera } from './words/scene.ts';
import { pagesOf } from './drawing/caption.ts';

export type Framing = 'wide' | 'close' | 'medium';
export type Cut = 'cut' | 'fade' | 'slide';

export interface Shot {
  readonly look: Look;
  readonly framing: Framing;
  readonly camera: Camera;
  /** Seconds in the film; its picture goes on under the transition to the next. */
  readonly start: number;
  readonly end: number;
  /** How it begins. */
  readonly cut: Cut;
  readonly caption: string;
  /** The caption was there in the shot before. */
  readonly captionStays: boolean;
}

export const transitionSeconds = 0.45;

/** The storyboard: the beats of the story over the seconds of the film. */
export function shotsOf(beats: readonly Beat[], seconds: number, seed: number): readonly Shot[] {
  const usual = seconds < 3 ? 1 : seconds <= 5 ? 2 : seconds <= 9 ? 3 : 4;
  const most = Math.max(1, Math.floor(seconds / 1.3));
  const count = Math.min(most, Math.max(usual, beats.length));
  const told = beats.slice(0, count);
  // Beats share the shots evenly, the first ones take what is over.
  const perBeat = told.map((_, at) => Math.floor(count / told.length) + (at < count % told.length ? 1 : 0));
  const weights: number[] = [];
  const shots: Omit<Shot, 'start' | 'end'>[] = [];
  for (const [beatIndex, beat] of told.entries()) {
    const look = lookOf(beat.scene, hashOf(seed, beatIndex));
    const number = perBeat[beatIndex] ?? 1;
    const pages = pagesOf(beat.caption, number);
    for (let at = 0; at < number; at++) {
      const framing: Framing =
        at === 0 ? 'wide' : at % 2 === 1 ? (look.actors.length > 0 ? 'close' : 'medium') : 'wide';
      const page = Math.floor((at * pages.length) / number);
      weights.push(framing === 'wide' ? 1.15 : 0.9);
      const cuts = ['fade', 'cut', 'cut'] as const;
      shots.push({
        look,
        framing,
        camera: at === 0 ? look.camera : opposite(look.camera, chance(look.seed, 'turn', at)),
        cut:
          shots.length === 0
            ? 'cut'
            : at === 0
              ? pick(['fade', 'slide', 'fade'] as const, look.seed, 'cut')
              : pick(cuts, look.seed, 'cut', at),
        caption: pages[page] ?? '',
        captionStays: at > 0 && Math.floor(((at - 1) * pages.length) / number) === page,
      });
    }
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let start = 0;
  return shots.map((shot, at) => {
    const end = at === shots.length - 1 ? seconds : start + ((weights[at] ?? 1) / sum) * seconds;
    const timed: Shot = { ...shot, start, end };
    start = end;
    return timed;
  });
}

/** Two shots after each other seldom move the same way. */
function opposite(camera: Camera, at: number): Camera {
  const other: Readonly<Record<Camera, Camera>> = {
    still: 'still',
    left: 'right',
    right: 'left',
    up: 'in',
    down: 'in',
    in: 'left',
    out: 'in',
    follow: 'follow',
  };
  return at < 0.25 && camera !== 'still' && camera !== 'follow' ? 'in' : other[camera];
}
