import { createStopBuffer } from '@modelwire/adapter-kit';
import type { StopTables } from '@modelwire/adapter-kit';
import type { TokenLogprob } from '@modelwire/schema/types';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** A text and its tokens. */
export interface TextChunk {
  readonly text: string;
  readonly tokens: number;
  readonly logprobs: readonly TokenLogprob[];
}

/** Turns tokens into chunks of complete characters. Text that may start a stop sequence is buffered. */
export function createTextStream(tokenizer: Tokenizer, stop: StopTables, emit: (chunk: TextChunk) => void) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const buffer = createStopBuffer<TextChunk>(stop, (chunk, length) => ({
    ...chunk,
    text: chunk.text.slice(0, length),
  }));
  let [tokens, logprobs]: [number, TokenLogprob[]] = [0, []];
  /** False when the text completes a stop sequence. */
  const add = (text: string): boolean => {
    if (text === '') return true;
    const { pieces, stoppedBy } = buffer.push({ text, tokens, logprobs });
    [tokens, logprobs] = [0, []];
    pieces.forEach(emit);
    return stoppedBy === undefined;
  };
  return {
    /** False when a stop sequence is complete: the text before it has been emitted. */
    push(id: number, logprob: TokenLogprob | undefined): boolean {
      tokens++;
      if (logprob !== undefined) logprobs.push(logprob);
      return add(decoder.decode(tokenizer.bytes(id), { stream: true }));
    },
    /** Emits the rest. False when that completes a stop sequence. */
    end(): boolean {
      const isWhole = add(decoder.decode());
      if (isWhole) buffer.flush().forEach(emit);
      return isWhole;
    },
  };
}
