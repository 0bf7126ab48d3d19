import { read } from './read.ts';
import { emptyScene } from './scene.ts';
import type { Scene } from './scene.ts';
import { clausesOf, shownText, tokensOf } from './tokens.ts';

/** A part of the story that has a scene of its own. */
export interface Beat {
  readonly scene: Scene;
  readonly caption: string;
}

const beatsAtMost = 8;

/**
 * What a chain of prompts tells: the first as it is, and each remix as a change to what was there. A sentence begins a beat of its
 * own where it says so (`then`, `cut to`) or where it names another place; else it adds to the beat before it.
 */
export function storyOf(prompts: readonly string[]): readonly Beat[] {
  const [first = '', ...changes] = prompts.map(shownText);
  return changes.reduce(changed, told(first));
}

function told(text: string): readonly Beat[] {
  const beats: Beat[] = [];
  for (const clause of clausesOf(text)) {
    const last = beats.at(-1);
    const elsewhere = last?.scene.place !== undefined && namesPlace(clause.text, last.scene.place);
    if (last && !((clause.next || elsewhere) && beats.length < beatsAtMost)) {
      beats[beats.length - 1] = {
        scene: read(last.scene, clause.text, 'first'),
        caption: `${last.caption} ${clause.text}`,
      };
    } else {
      // What the beats before it looked like stays, unless a new place is named: then only time, weather and season do.
      const kept: Scene = last ? { ...last.scene, unknown: [], ...(elsewhere ? fresh : {}) } : emptyScene;
      beats.push({ scene: read(kept, clause.text, elsewhere || !last ? 'first' : 'change'), caption: clause.text });
    }
  }
  return beats.length > 0 ? beats : [{ scene: emptyScene, caption: text }];
}

const fresh = {
  place: undefined,
  behind: [],
  actors: [],
  mood: undefined,
  tints: [],
  sky: [],
  camera: undefined,
  heading: undefined,
  pace: 1,
} as const;

function namesPlace(text: string, place: Scene['place']): boolean {
  return tokensOf(text).some(({ known }) => known?.meaning.as === 'place' && known.meaning.value !== place);
}

/** A remix changes every beat of its source; its words are the caption. */
function changed(beats: readonly Beat[], text: string): readonly Beat[] {
  const clauses = clausesOf(text);
  return beats.map(({ scene }) => ({
    scene: clauses.reduce((sum, clause) => read(sum, clause.text, 'change'), scene),
    caption: text,
  }));
}
