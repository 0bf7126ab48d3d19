import type { TokenLogprob } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import type { Prediction } from './prediction.ts';
import type { TokenSource } from './sampler.ts';
import { stopFinder } from './stop-sequences.ts';
import type { StopState, StopTables } from './stop-sequences.ts';
import { tokenText } from './token-text.ts';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** No choice is longer than this, whatever is asked for: it then finishes with `length`. */
export const longestReply = 4096;

/** What a part of a reply is said as. `hidden` is reasoning: it is drawn and counted, and nobody sees it. */
export type PartKind = 'hidden' | 'text' | 'refusal' | 'function' | 'custom';

/** A call that a part's text is the input of. */
export interface Opening {
  readonly id: string;
  readonly name: string;
  /** Among the calls of the message. */
  readonly index: number;
  /** What naming the tool costs. */
  readonly tokens: number;
}

export interface Part {
  readonly kind: PartKind;
  readonly source: TokenSource;
  /** For `function` and `custom`. */
  readonly opening?: Opening;
}

export interface ChoiceInit {
  readonly index: number;
  /** Said one after the other, at least one. */
  readonly parts: readonly Part[];
  readonly tokenizer: Tokenizer;
  /** Shared by all choices of a request. Looked for in text alone. */
  readonly stop: StopTables;
  /** Tokens this choice may generate. */
  readonly limit: number;
  readonly prediction?: Prediction | undefined;
}

/** One choice being generated. */
export interface Choice {
  /** Draws one token, and those that a prediction gives for nothing. Gives what may be said now. False when the choice has finished. */
  step(out: ChatEvent[]): boolean;
  /** Tokens whose text is in the reply, wholly or in part, and the names of called tools; those of an omitted stop sequence and the end are not. */
  readonly tokens: number;
  /** Tokens that were drawn and not shown. */
  readonly hidden: number;
  readonly prediction: Prediction | undefined;
}

/** Text that waits because a stop sequence may begin in it, with the tokens that made it. */
interface Piece {
  text: string;
  tokens: number;
  logprobs: TokenLogprob[];
}

type Reason = 'stop' | 'length' | 'tool_calls';

export function startChoice({ index, parts, tokenizer, stop, limit, prediction }: ChoiceInit): Choice {
  const bound = Math.min(limit, longestReply);
  const reason: Reason = parts.some(({ opening }) => opening) ? 'tool_calls' : 'stop';
  let drawn = 0;
  let tokens = 0;
  let hidden = 0;
  let at = -1;
  let part: Part | undefined;
  // One for all parts: at the end of each it is as new, and to make one takes longer than to draw a token.
  const text = tokenText(tokenizer);
  let find: ((piece: string) => StopState) | undefined;
  /** What tokens have made since the last whole character. */
  let growing: Piece = { text: '', tokens: 0, logprobs: [] };
  let waiting: Piece[] = [];
  let waitsFrom = 0;

  const left = (): number => bound - drawn - (prediction?.rejected ?? 0);
  const say = (out: ChatEvent[], { text: said, tokens: count, logprobs }: Piece): void => {
    tokens += count;
    const kind = part?.kind ?? 'text';
    if (kind === 'function' || kind === 'custom') {
      out.push({
        type: 'tool_input',
        choice: index,
        index: part?.opening?.index ?? 0,
        kind,
        text: said,
        tokens: count,
      });
    } else {
      const type = kind === 'refusal' ? kind : 'text';
      out.push({ type, choice: index, text: said, tokens: count, ...(logprobs.length > 0 && { logprobs }) });
    }
  };
  const finish = (out: ChatEvent[], why: Reason): false => {
    out.push({ type: 'finish', choice: index, reason: why });
    return false;
  };
  /** False when a stop sequence is complete: what precedes it has been said then. */
  const offer = (out: ChatEvent[], piece: Piece): boolean => {
    if (find === undefined) {
      say(out, piece);
      return true;
    }
    const { free, cut } = find(piece.text);
    waiting.push(piece);
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const end = waitsFrom + first.text.length;
      if (end > free) break;
      say(out, first);
      waitsFrom = end;
      waiting.shift();
    }
    if (cut === undefined) return true;
    const torn = waiting[0];
    if (torn !== undefined && cut > waitsFrom) say(out, { ...torn, text: torn.text.slice(0, cut - waitsFrom) });
    return false;
  };
  /** Says what is left of a part. False when a stop sequence is complete in it. */
  const close = (out: ChatEvent[]): boolean => {
    growing.text += text.end();
    const last = growing;
    growing = { text: '', tokens: 0, logprobs: [] };
    if (last.tokens > 0 && !offer(out, last)) return false;
    for (const piece of waiting) say(out, piece);
    waiting = [];
    return true;
  };
  const end = (out: ChatEvent[], why: Reason): false => finish(out, close(out) ? why : 'stop');
  /** False when there is no room for it. */
  const open = (out: ChatEvent[]): boolean => {
    at++;
    part = parts[at];
    find = part?.kind === 'text' && stop.length > 0 ? stopFinder(stop) : undefined;
    const { opening, kind } = part ?? {};
    if (!opening) return true;
    if (opening.tokens >= left()) return false;
    drawn += opening.tokens;
    tokens += opening.tokens;
    out.push({
      ...{ type: 'tool_call', choice: index, index: opening.index, id: opening.id, name: opening.name },
      kind: kind === 'custom' ? kind : 'function',
    });
    return true;
  };
  /** Whether there is more to come; `free` when the next token is as good as known. */
  const draw = (out: ChatEvent[]): boolean | 'free' => {
    if (part === undefined && !open(out)) return finish(out, 'length');
    if (part === undefined) return finish(out, reason);
    const { id, logprob, hurried } = part.source(left());
    if (id === endOfText) {
      if (part.kind === 'text') prediction?.end();
      if (at === parts.length - 1 || hurried === true) return end(out, hurried === true ? 'length' : reason);
      if (!close(out)) return finish(out, 'stop');
      part = undefined;
      return true;
    }
    drawn++;
    if (part.kind === 'hidden') {
      hidden++;
      return left() > 0 || finish(out, 'length');
    }
    const accepted = part.kind === 'text' && prediction?.take(id) === true;
    growing.text += text.push(id);
    growing.tokens++;
    if (logprob !== undefined) growing.logprobs.push(logprob);
    if (growing.text !== '') {
      const piece = growing;
      growing = { text: '', tokens: 0, logprobs: [] };
      if (!offer(out, piece)) return finish(out, 'stop');
    }
    if (left() <= 0) return end(out, 'length');
    return accepted ? 'free' : true;
  };

  return {
    step(out) {
      for (;;) {
        const more = draw(out);
        if (more !== 'free') return more;
      }
    },
    get tokens() {
      return tokens;
    },
    get hidden() {
      return hidden;
    },
    prediction,
  };
}
