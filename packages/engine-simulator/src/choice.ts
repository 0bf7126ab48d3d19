import type { TokenLogprob } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/server';
import type { TokenSource } from './sampler.ts';
import { stopFinder } from './stop-sequences.ts';
import type { StopTables } from './stop-sequences.ts';
import { tokenText } from './token-text.ts';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** No choice is longer than this, whatever is asked for: it then finishes with `length`. */
export const longestReply = 4096;

export interface ChoiceInit {
  readonly index: number;
  readonly source: TokenSource;
  readonly tokenizer: Tokenizer;
  /** Shared by all choices of a request. */
  readonly stop: StopTables;
  /** Tokens this choice may generate. */
  readonly limit: number;
}

/** One choice being generated. */
export interface Choice {
  /** Draws one token and gives what may be said now. False when the choice has finished. */
  step(out: ChatEvent[]): boolean;
  /** Tokens whose text is in the reply, wholly or in part; those of an omitted stop sequence and the end are not. */
  readonly tokens: number;
}

/** Text that waits because a stop sequence may begin in it, with the tokens that made it. */
interface Piece {
  text: string;
  tokens: number;
  logprobs: TokenLogprob[];
}

export function startChoice({ index, source, tokenizer, stop, limit }: ChoiceInit): Choice {
  const text = tokenText(tokenizer);
  const find = stop.length > 0 ? stopFinder(stop) : undefined;
  const bound = Math.min(limit, longestReply);
  let drawn = 0;
  let tokens = 0;
  /** What tokens have made since the last whole character. */
  let growing: Piece = { text: '', tokens: 0, logprobs: [] };
  let waiting: Piece[] = [];
  let waitsFrom = 0;

  const say = (out: ChatEvent[], piece: Piece): void => {
    tokens += piece.tokens;
    const { text: said, tokens: count, logprobs } = piece;
    out.push({ type: 'text', choice: index, text: said, tokens: count, ...(logprobs.length > 0 && { logprobs }) });
  };
  const finish = (out: ChatEvent[], reason: 'stop' | 'length'): false => {
    out.push({ type: 'finish', choice: index, reason });
    return false;
  };
  const release = (out: ChatEvent[]): void => {
    for (const piece of waiting) say(out, piece);
    waiting = [];
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
  const end = (out: ChatEvent[], reason: 'stop' | 'length'): false => {
    growing.text += text.end();
    if (growing.tokens > 0 && !offer(out, growing)) return finish(out, 'stop');
    release(out);
    return finish(out, reason);
  };

  return {
    step(out) {
      const { id, logprob } = source();
      if (id === endOfText) return end(out, 'stop');
      drawn++;
      growing.text += text.push(id);
      growing.tokens++;
      if (logprob !== undefined) growing.logprobs.push(logprob);
      if (growing.text !== '') {
        const piece = growing;
        growing = { text: '', tokens: 0, logprobs: [] };
        if (!offer(out, piece)) return finish(out, 'stop');
      }
      return drawn < bound || end(out, 'length');
    },
    get tokens() {
      return tokens;
    },
  };
}
