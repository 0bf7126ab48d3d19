import type { TokenLogprob } from '@modelwire/schema/types';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { stopFinder } from './stop-finder.ts';
import type { StopTables } from './stop-finder.ts';

/** A text and its tokens. */
export interface TextChunk {
  text: string;
  tokens: number;
  logprobs: TokenLogprob[];
}

/** Turns tokens into chunks of complete characters. Text that may start a stop sequence is buffered. */
export interface TextStream {
  /** False when a stop sequence is complete: the text before it has been emitted. */
  push(id: number, logprob: TokenLogprob | undefined): boolean;
  /** Emits the rest. False when that completes a stop sequence. */
  end(): boolean;
}

export function createTextStream(tokenizer: Tokenizer, stop: StopTables, emit: (chunk: TextChunk) => void): TextStream {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const find = stopFinder(stop);
  let incomplete: TextChunk = { text: '', tokens: 0, logprobs: [] };
  const waiting: TextChunk[] = [];
  let emitted = 0;
  const emitFirst = (length: number): void => {
    const chunk = waiting.shift();
    if (chunk && length > 0) emit({ ...chunk, text: chunk.text.slice(0, length) });
    emitted += length;
  };
  const flush = (): boolean => {
    const { safe, stopAt } = find(incomplete.text);
    waiting.push(incomplete);
    incomplete = { text: '', tokens: 0, logprobs: [] };
    for (let [first] = waiting; first && emitted + first.text.length <= safe; [first] = waiting)
      emitFirst(first.text.length);
    if (stopAt !== undefined) emitFirst(stopAt - emitted);
    return stopAt === undefined;
  };
  return {
    push(id, logprob) {
      incomplete.text += decoder.decode(tokenizer.bytes(id), { stream: true });
      incomplete.tokens++;
      if (logprob !== undefined) incomplete.logprobs.push(logprob);
      return incomplete.text === '' || flush();
    },
    end() {
      incomplete.text += decoder.decode();
      if (incomplete.tokens > 0 && !flush()) return false;
      for (let [first] = waiting; first; [first] = waiting) emitFirst(first.text.length);
      return true;
    },
  };
}
