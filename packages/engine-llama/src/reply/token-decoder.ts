import type { TokenLogprob } from '@modelwire/schema/types';
import { createCallId } from '@modelwire/adapter-kit';
import type { ChatEvent } from '@modelwire/ports';
import type { Callable, Guide } from '../guide/guide.ts';

/** Converts the bytes of tokens to events. A character is emitted when it is complete. */
export interface TokenDecoder {
  /** Adds the bytes of a token, which follow the given guide. Without a guide, they are text. */
  take(bytes: Uint8Array, guide: Guide | undefined, logprob: TokenLogprob | undefined): readonly ChatEvent[];
  /** Returns the remaining events at the end of the reply. */
  end(): readonly ChatEvent[];
  /** The number of calls that have started. */
  readonly calls: number;
}

export function createTokenDecoder(): TokenDecoder {
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  let input = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Text that is held back because it can be the start of a call. */
  const heldText: number[] = [];
  let inputBytes: number[] = [];
  let tool: Callable | undefined;
  let calls = 0;
  /** The number of tokens since the last event. */
  let tokens = 0;
  let logprobs: TokenLogprob[] = [];

  const emitText = (out: ChatEvent[], decoded: string): void => {
    if (decoded === '') return;
    out.push({ type: 'text', choice: 0, text: decoded, tokens, ...(logprobs.length > 0 && { logprobs }) });
    tokens = 0;
    logprobs = [];
  };
  const releaseText = (out: ChatEvent[], heldBytes: number): void => {
    const released = Uint8Array.from(heldText.splice(0, Math.max(0, heldText.length - heldBytes)));
    emitText(out, text.decode(released, { stream: true }));
  };
  const emitInput = (out: ChatEvent[]): void => {
    const decoded = input.decode(Uint8Array.from(inputBytes), { stream: true });
    inputBytes = [];
    if (decoded === '' || tool === undefined) return;
    out.push({ type: 'tool_input', choice: 0, index: calls - 1, kind: tool.kind, text: decoded, tokens });
    tokens = 0;
  };
  const switchTool = (next: Callable | undefined, out: ChatEvent[]): void => {
    emitInput(out);
    tool = next;
    if (next === undefined) return;
    input = new TextDecoder('utf-8', { ignoreBOM: true });
    out.push({ type: 'tool_call', choice: 0, index: calls++, id: createCallId(), kind: next.kind, name: next.name });
  };

  return {
    take(bytes, guide, logprob) {
      const out: ChatEvent[] = [];
      tokens++;
      let isText = guide === undefined;
      let at = guide;
      for (const given of bytes) {
        if (at === undefined) {
          heldText.push(given);
          continue;
        }
        const { channel, byte } = at.outputOf(given);
        const next = at.advance(given);
        if (next === undefined) throw new Error('a disallowed token was sampled');
        if (channel === 'text') {
          heldText.push(byte);
          isText = true;
        } else if (channel === 'input') inputBytes.push(byte);
        else if (channel === 'delimiter') {
          heldText.splice(heldText.length - at.heldBytes);
          releaseText(out, 0);
          logprobs = [];
          isText = false;
        }
        if (next.tool !== at.tool) switchTool(next.tool, out);
        at = next;
      }
      if (isText && logprob) logprobs.push(logprob);
      if (inputBytes.length > 0) emitInput(out);
      releaseText(out, at?.heldBytes ?? 0);
      return out;
    },
    end() {
      const out: ChatEvent[] = [];
      releaseText(out, 0);
      emitText(out, text.decode());
      return out;
    },
    get calls() {
      return calls;
    },
  };
}
