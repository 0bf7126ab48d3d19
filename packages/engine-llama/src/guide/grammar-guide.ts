import type { State } from '@modelwire/grammar';
import { refuseInvalidGrammar } from '../grammar/refusal.ts';
import type { TextGrammar } from '../grammar/refusal.ts';
import { concatBytes, noBytes } from './guide.ts';
import type { Callable, Channel, Guide } from './guide.ts';

export interface GrammarGuideInit {
  readonly held: TextGrammar;
  readonly channel: Channel;
  readonly tool?: Callable;
  /** The guide that follows the grammar's text; without it the reply ends. */
  readonly then?: () => Guide;
}

/**
 * Text of a grammar. With `then`, that guide follows as soon as the grammar cannot continue: its texts must be self-delimiting.
 */
export function grammarGuide(init: GrammarGuideInit): Guide {
  const known = new WeakMap<State, Guide>();
  const at = (state: State): Guide => {
    const made = known.get(state);
    if (made) return made;
    const guide = init.then && state.mustEnd() ? init.then() : node(state, init, at);
    known.set(state, guide);
    return guide;
  };
  return at(init.held.grammar.start());
}

function node(state: State, { held, channel, tool, then }: GrammarGuideInit, at: (state: State) => Guide): Guide {
  return {
    // A grammar with unbounded ambiguity is detected only while it is matched.
    advance: (byte) => {
      const next = refuseInvalidGrammar(held.place, () => state.advanceByte(byte));
      return next && at(next);
    },
    canEnd: then === undefined && state.canEnd(),
    mustEnd: then === undefined && state.mustEnd(),
    completion: () => concatBytes(state.completionBytes(), then?.().completion() ?? noBytes),
    free: false,
    says: (byte) => ({ channel, byte }),
    held: 0,
    tool,
  };
}

const escapes = new Map([
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);
const escaped = new Map(Array.from(escapes, ([letter, byte]) => [byte, letter]));
const quote = 0x22;
const backslash = 0x5c;

export interface QuotedInit {
  /** Undefined for any text. */
  readonly held: TextGrammar | undefined;
  readonly tool: Callable;
  /** The guide after the closing quote. */
  readonly then: () => Guide;
}

/** Text of a grammar, or any text, within the quotes of an open JSON string. Output is the unescaped text. */
export function quotedGuide({ held, tool, then }: QuotedInit): Guide {
  const next = (state: State | undefined, byte: number): Guide | undefined => {
    if (held === undefined || state === undefined) return plain(undefined);
    const after = refuseInvalidGrammar(held.place, () => state.advanceByte(byte));
    return after && plain(after);
  };
  const shared = { canEnd: false, mustEnd: false, held: 0, tool, free: held === undefined } as const;
  const rest = (state: State | undefined): Uint8Array =>
    concatBytes(quoted(state?.completionBytes() ?? noBytes), concatBytes(Uint8Array.of(quote), then().completion()));
  const plain = (state: State | undefined): Guide => ({
    ...shared,
    advance: (byte) => {
      if (byte === backslash) return behindBackslash(state);
      if (byte === quote) return state === undefined || state.canEnd() ? then() : undefined;
      return byte < 0x20 ? undefined : next(state, byte);
    },
    says: (byte) => ({ channel: byte === backslash || byte === quote ? 'none' : 'input', byte }),
    completion: () => rest(state),
  });
  const behindBackslash = (state: State | undefined): Guide | undefined => {
    const may = Array.from(escapes).filter(([, byte]) => next(state, byte) !== undefined);
    const [first] = may;
    if (!first) return undefined;
    return {
      ...shared,
      advance: (letter) => {
        const byte = escapes.get(letter);
        return byte === undefined ? undefined : next(state, byte);
      },
      says: (letter) => ({ channel: 'input', byte: escapes.get(letter) ?? letter }),
      completion: () =>
        concatBytes(Uint8Array.of(first[0]), state === undefined ? rest(undefined) : rest(state.advanceByte(first[1]))),
    };
  };
  return plain(held?.grammar.start());
}

function quoted(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (const byte of bytes) {
    const letter = escaped.get(byte);
    if (letter === undefined) out.push(byte);
    else out.push(backslash, letter);
  }
  return Uint8Array.from(out);
}
