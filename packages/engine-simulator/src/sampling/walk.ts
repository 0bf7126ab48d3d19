import type { State } from '@modelwire/grammar';
import { endOfText } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** One piece of a reply, mostly a sentence: its wordings, the likeliest first. Pieces end with their line breaks. */
export type Piece = readonly string[];

/** For each piece its wordings in tokens. */
export type Template = readonly (readonly (readonly number[])[])[];

/** A text that is being generated: the expected next tokens, given the tokens so far. */
export interface Walk {
  /** Probabilities of the next token that sum to 1. */
  expected(): ReadonlyMap<number, number>;
  /** Continues after a token. */
  take(id: number): void;
  /** Whether a token may come next, where not all may. */
  isAllowed?(id: number): boolean;
  /** The token to generate if `id` was sampled and `left` tokens remain: another one if only the end of the text still fits. */
  fit?(id: number, left: number): number;
  /** Whether the text was shortened because of the limit. */
  isCut?(): boolean;
}

/** The share of the first of several wordings; the others have the rest in equal parts. */
const firstShare = 0.6;
/** The share of what remains where bias or penalties suppress the expected tokens. Below `minP`, and above the uniform share. */
const fallbackShare = 2e-6;

/**
 * Follows a template and selects randomly between the variants of a piece. A token of no variant replaces the expected one. Where bias or
 * penalties suppress all variants, the text ends. With `isFixed`, no other tokens are possible.
 */
export function walkTemplate(template: Template, isFixed = false): Walk {
  let piece = 0;
  let position = 0;
  let wordings = template[0] ?? [];
  const expected = (): ReadonlyMap<number, number> => {
    if (wordings.length === 0) return new Map([[endOfText, 1]]);
    const [first = [], ...others] = wordings;
    const shares = new Map(isFixed ? [] : [[endOfText, fallbackShare]]);
    const add = (ids: readonly number[], share: number): void => {
      const id = ids[position] ?? endOfText;
      shares.set(id, (shares.get(id) ?? 0) + share);
    };
    const all = isFixed ? 1 : 1 - fallbackShare;
    add(first, others.length === 0 ? all : all * firstShare);
    for (const ids of others) add(ids, (all * (1 - firstShare)) / others.length);
    return shares;
  };
  return {
    expected,
    ...(isFixed && { isAllowed: (id) => expected().has(id) }),
    take(id) {
      const matching = wordings.filter((ids) => ids[position] === id);
      const current = matching.length > 0 ? matching : wordings;
      position++;
      wordings = current.filter((ids) => ids.length > position);
      // If one variant is a prefix of another, the more likely one ends the piece.
      if (wordings.length > 0 && wordings[0] === current[0]) return;
      wordings = template[++piece] ?? [];
      position = 0;
    },
  };
}

/**
 * Follows a planned text under a grammar that accepts it. Where bias or penalties suppress a token, it is spelled by shorter ones; after
 * any other token, the shortest completion replaces the plan. This also happens if the token limit is not sufficient for the
 * rest: the text is valid whenever the limit is sufficient for the shortest text of the grammar.
 */
export function walkGrammar(planned: readonly number[], start: State, tokenizer: Tokenizer): Walk {
  let state = start;
  let plan = planned;
  let position = 0;
  let isCut = false;
  /** The limit is not sufficient for the shortest completion. */
  let isTooShort = false;
  const follow = (ids: readonly number[]): void => void ([plan, position] = [ids, 0]);
  const endOf = (from: State): number[] => tokenizer.encodeBytes(from.completionBytes());
  const after = (...ids: readonly number[]): State | undefined => {
    let next: State | undefined = state;
    for (const id of ids) for (const byte of tokenizer.bytes(id)) next = next?.advanceByte(byte);
    return next;
  };
  /** Keeps as much of the plan as fits together with the shortest completion after it. */
  const shorten = (left: number): void => {
    isTooShort = endOf(state).length > left;
    if (isTooShort) return;
    let [kept, most] = [0, Math.min(left, plan.length - position)];
    while (kept < most) {
      const middle = Math.ceil((kept + most) / 2);
      const next = after(...plan.slice(position, position + middle));
      if (next && endOf(next).length <= left - middle) kept = middle;
      else most = middle - 1;
    }
    const beginning = plan.slice(position, position + kept);
    follow([...beginning, ...endOf(after(...beginning) ?? state)]);
    isCut = true;
  };
  return {
    isAllowed: (id) => (id === endOfText ? state.canEnd() : after(id) !== undefined),
    expected() {
      const id = plan[position] ?? endOfText;
      const [byte] = tokenizer.bytes(id);
      const respelled = byte === undefined ? id : tokenizer.byteToken(byte);
      return new Map(respelled === id ? [[id, 1]] : [[id, 1 - fallbackShare], [respelled, fallbackShare]]); // prettier-ignore
    },
    fit(id, left) {
      if (id === endOfText || isTooShort) return id;
      const other = id === plan[position] ? undefined : after(id);
      if (other && endOf(other).length < left) return id;
      if (plan.length - position > left) shorten(left);
      return plan[position] ?? endOfText;
    },
    take(id) {
      const [said, wanted] = [tokenizer.bytes(id), tokenizer.bytes(plan[position] ?? endOfText)];
      state = after(id) ?? state;
      if (id === plan[position++]) return;
      const isSpelled = Buffer.compare(wanted.subarray(0, said.length), said) === 0;
      follow(
        isSpelled ? [...tokenizer.encodeBytes(wanted.subarray(said.length)), ...plan.slice(position)] : endOf(state),
      );
    },
    isCut: () => isCut,
  };
}
