import type { TokenLogprob } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import type { Callable, Guide } from '../guide/guide.ts';
import { callId } from '../random.ts';

/** Converts the bytes of tokens to events. A character is emitted when it is complete. */
export interface TokenDecoder {
  /** Adds a token, whose bytes follow the given guide. Without a guide they are text. */
  take(bytes: Uint8Array, guide: Guide | undefined, logprob: TokenLogprob | undefined): readonly ChatEvent[];
  /** Emits the rest at the end. */
  end(): readonly ChatEvent[];
  /** Calls that were started. */
  readonly calls: number;
}

export function createTokenDecoder(): TokenDecoder {
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  let input = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Text that is held back because it may be the start of a call. */
  const waiting: number[] = [];
  let writing: number[] = [];
  let tool: Callable | undefined;
  let calls = 0;
  /** Tokens since the last event, for the log probabilities of the next. */
  let tokens = 0;
  let logprobs: TokenLogprob[] = [];

  const sayText = (out: ChatEvent[], said: string): void => {
    if (said === '') return;
    out.push({ type: 'text', choice: 0, text: said, tokens, ...(logprobs.length > 0 && { logprobs }) });
    tokens = 0;
    logprobs = [];
  };
  const release = (out: ChatEvent[], held: number): void => {
    const free = Uint8Array.from(waiting.splice(0, Math.max(0, waiting.length - held)));
    sayText(out, text.decode(free, { stream: true }));
  };
  const sayInput = (out: ChatEvent[]): void => {
    const said = input.decode(Uint8Array.from(writing), { stream: true });
    writing = [];
    if (said === '' || tool === undefined) return;
    out.push({ type: 'tool_input', choice: 0, index: calls - 1, kind: tool.kind, text: said, tokens });
    tokens = 0;
  };
  const turnTo = (next: Callable | undefined, out: ChatEvent[]): void => {
    sayInput(out);
    tool = next;
    if (next === undefined) return;
    input = new TextDecoder('utf-8', { ignoreBOM: true });
    out.push({ type: 'tool_call', choice: 0, index: calls++, id: callId(), kind: next.kind, name: next.name });
  };

  return {
    take(bytes, guide, logprob) {
      const out: ChatEvent[] = [];
      tokens++;
      let isText = guide === undefined;
      let at = guide;
      for (const given of bytes) {
        if (at === undefined) {
          waiting.push(given);
          continue;
        }
        const { channel, byte } = at.says(given);
        const next = at.advance(given);
        if (next === undefined) throw new Error('a disallowed token was sampled');
        if (channel === 'text') {
          waiting.push(byte);
          isText = true;
        } else if (channel === 'input') writing.push(byte);
        else if (channel === 'mark') {
          waiting.splice(waiting.length - at.held);
          release(out, 0);
          logprobs = [];
          isText = false;
        }
        if (next.tool !== at.tool) turnTo(next.tool, out);
        at = next;
      }
      if (isText && logprob) logprobs.push(logprob);
      if (writing.length > 0) sayInput(out);
      release(out, at?.held ?? 0);
      return out;
    },
    end() {
      const out: ChatEvent[] = [];
      release(out, 0);
      sayText(out, text.decode());
      return out;
    },
    get calls() {
      return calls;
    },
  };
}
