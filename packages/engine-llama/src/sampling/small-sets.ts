import type { Token } from 'node-llama-cpp';
import { advanceGuide } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** The allowed tokens where a constraint allows few: names, punctuation, digits. */
export type SmallSets = (guide: Guide) => readonly Token[] | undefined;

/** Tokens that are checked at most: others are checked after sampling. */
const maxChecked = 2048;
const maxAllowed = 512;

/** Bytes by the number of tokens that start with them, most first, so that large sets are recognized at once. */
export function smallSets({ startingWith, bytes }: Vocabulary): SmallSets {
  const known = new WeakMap<Guide, readonly Token[] | 'large'>();
  const starts = Array.from({ length: 256 }, (_, byte) => byte).sort(
    (a, b) => startingWith(b).length - startingWith(a).length,
  );
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
    // Tokens without text, which end the reply, are not in the sets.
    if (guide.free || guide.canEnd) return undefined;
    const set = known.get(guide) ?? compute(guide);
    known.set(guide, set);
    return set === 'large' ? undefined : set;
  };
}
