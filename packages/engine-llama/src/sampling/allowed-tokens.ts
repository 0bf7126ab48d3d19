import type { Token } from 'node-llama-cpp';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** Returns the allowed tokens if there are few, such as names, punctuation or digits; undefined otherwise. */
export type AllowedTokenLookup = (guide: Guide) => readonly Token[] | undefined;

/** The maximum number of tokens that are checked before sampling. Above it, tokens are checked after sampling. */
const maxChecked = 2048;
const maxAllowed = 512;

/** All bytes in descending order of the number of tokens that start with them, so that a constraint with a choice is recognized early. */
export function commonFirstBytes({ startingWith }: Pick<Vocabulary, 'startingWith'>): readonly number[] {
  return Array.from({ length: 256 }, (_, byte) => byte).sort((a, b) => startingWith(b).length - startingWith(a).length);
}

export function createAllowedTokenLookup(vocabulary: Vocabulary): AllowedTokenLookup {
  const { startingWith, bytes } = vocabulary;
  const known = new WeakMap<Guide, readonly Token[] | 'large'>();
  const starts = commonFirstBytes(vocabulary);
  const compute = (guide: Guide): readonly Token[] | 'large' => {
    let checked = 0;
    const groups: (readonly Token[])[] = [];
    for (const byte of starts) {
      const group = startingWith(byte);
      if (group.length === 0) break;
      if (guide.advance(byte) === undefined) continue;
      checked += group.length;
      if (checked > maxChecked) return 'large';
      groups.push(group);
    }
    const found = groups.flatMap((group) => group.filter((id) => advanceGuide(guide, bytes(id)) !== undefined));
    return found.length > maxAllowed ? 'large' : found;
  };
  return (guide) => {
    // Where the reply can end, end tokens are allowed, which have no bytes.
    if (guide.isUnrestricted || guide.canEnd) return undefined;
    const set = known.get(guide) ?? compute(guide);
    known.set(guide, set);
    return set === 'large' ? undefined : set;
  };
}
