import type { State } from '@modelwire/grammar';
import { concatBytes, noBytes } from './guide.ts';
import type { Callable, Channel, Guide } from './guide.ts';
import { advanceState } from './text-grammar.ts';
import type { TextGrammar } from './text-grammar.ts';

export interface GrammarGuideInit {
  readonly constraint: TextGrammar;
  readonly channel: Channel;
  readonly tool?: Callable;
  /** The guide after a text of the grammar. Without it, the reply ends there. */
  readonly followUp?: () => Guide;
}

/** A text of a grammar. `followUp` starts as soon as the grammar cannot continue, so that its texts must be self-delimiting. */
export function grammarGuide(init: GrammarGuideInit): Guide {
  const guides = new WeakMap<State, Guide>();
  const at = (state: State): Guide => {
    const existing = guides.get(state);
    if (existing) return existing;
    const guide = init.followUp && state.mustEnd() ? init.followUp() : node(state, init, at);
    guides.set(state, guide);
    return guide;
  };
  return at(init.constraint.grammar.start());
}

function node(
  state: State,
  { constraint, channel, tool, followUp }: GrammarGuideInit,
  at: (state: State) => Guide,
): Guide {
  return {
    advance: (byte) => {
      const next = advanceState(state, byte, constraint);
      return next && at(next);
    },
    canEnd: followUp === undefined && state.canEnd(),
    mustEnd: followUp === undefined && state.mustEnd(),
    completion: () => concatBytes(state.completionBytes(), followUp?.().completion() ?? noBytes),
    isUnrestricted: false,
    outputOf: (byte) => ({ channel, byte }),
    heldBytes: 0,
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
  /** Without it, any text is allowed. */
  readonly constraint: TextGrammar | undefined;
  readonly tool: Callable;
  /** The guide after the closing quote. */
  readonly followUp: () => Guide;
}

/** A text of a grammar, or any text, within a JSON string whose opening quote is already written. Its output is the unescaped text. */
export function quotedGuide({ constraint, tool, followUp }: QuotedInit): Guide {
  const next = (state: State | undefined, byte: number): Guide | undefined => {
    if (constraint === undefined || state === undefined) return plain(undefined);
    const after = advanceState(state, byte, constraint);
    return after && plain(after);
  };
  const shared = {
    canEnd: false,
    mustEnd: false,
    heldBytes: 0,
    tool,
    isUnrestricted: constraint === undefined,
  } as const;
  const rest = (state: State | undefined): Uint8Array =>
    concatBytes(
      quoted(state?.completionBytes() ?? noBytes),
      concatBytes(Uint8Array.of(quote), followUp().completion()),
    );
  const plain = (state: State | undefined): Guide => ({
    ...shared,
    advance: (byte) => {
      if (byte === backslash) return afterBackslash(state);
      if (byte === quote) return state === undefined || state.canEnd() ? followUp() : undefined;
      return byte < 0x20 ? undefined : next(state, byte);
    },
    outputOf: (byte) => ({ channel: byte === backslash || byte === quote ? 'none' : 'input', byte }),
    completion: () => rest(state),
  });
  const afterBackslash = (state: State | undefined): Guide | undefined => {
    const [first] = Array.from(escapes).filter(([, byte]) => next(state, byte) !== undefined);
    if (!first) return undefined;
    return {
      ...shared,
      advance: (letter) => {
        const byte = escapes.get(letter);
        return byte === undefined ? undefined : next(state, byte);
      },
      outputOf: (letter) => ({ channel: 'input', byte: escapes.get(letter) ?? letter }),
      completion: () =>
        concatBytes(Uint8Array.of(first[0]), state === undefined ? rest(undefined) : rest(state.advanceByte(first[1]))),
    };
  };
  return plain(constraint?.grammar.start());
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
