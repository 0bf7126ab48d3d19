import { createStopBuffer } from '@modelwire/ports';
import type { StopTables } from '@modelwire/ports';
import type { TokenLogprob } from '@modelwire/schema/types';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** A text and its tokens. */
export interface TextChunk {
  text: string;
  tokens: number;
  logprobs: TokenLogprob[];
}

/** Turns tokens into chunks of complete characters. Text that may start a stop sequence is buffered. */
export function createTextStream(tokenizer: Tokenizer, stop: StopTables, emit: (chunk: TextChunk) => void) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const buffer = createStopBuffer<TextChunk>(stop, (chunk, length) => ({
    ...chunk,
    text: chunk.text.slice(0, length),
  }));
  let incomplete: TextChunk = { text: '', tokens: 0, logprobs: [] };
  const complete = (): boolean => {
    const { pieces, isStopped } = buffer.push(incomplete);
    incomplete = { text: '', tokens: 0, logprobs: [] };
    for (const chunk of pieces) emit(chunk);
    return !isStopped;
  };
  return {
    /** False when a stop sequence is complete: the text before it has been emitted. */
    push(id: number, logprob: TokenLogprob | undefined): boolean {
      incomplete.text += decoder.decode(tokenizer.bytes(id), { stream: true });
      incomplete.tokens++;
      if (logprob !== undefined) incomplete.logprobs.push(logprob);
      return incomplete.text === '' || complete();
    },
    /** Emits the rest. False when that completes a stop sequence. */
    end(): boolean {
      incomplete.text += decoder.decode();
      if (incomplete.tokens > 0 && !complete()) return false;
      for (const chunk of buffer.flush()) emit(chunk);
      return true;
    },
  };
}
