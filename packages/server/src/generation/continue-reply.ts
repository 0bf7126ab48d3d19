import type { ChatEngine, ChatEvent, ChatRequest, EngineContext } from '@modelwire/ports';
import type { LostStream } from '../call.ts';
import type { ReplyEvent } from '../streaming/events.ts';
import { Attempts } from '../structured-output/attempts.ts';
import { withPrefill } from '../structured-output/with-prefill.ts';
import type { Generation } from './generate.ts';

/** Whether another server could continue the reply: a plain text that is not stored, of an engine that continues texts. */
export function canContinue({ body, plan, resolvedModel: { model } }: Generation): boolean {
  const { n, tools, stop, logprobs, audio, web_search_options, response_format } = plan.request;
  const isPlain =
    !body.store && n === 1 && tools.length === 0 && stop.length === 0 && !logprobs && !audio && !web_search_options;
  return (
    model.capabilities.assistant_prefill === true && isPlain && response_format.type === 'text' && !plan.usesEmulation
  );
}

/** Generates the whole reply of a stream whose server died: what is stored of it, then what the engine continues it with. Usage is that of both. */
export function continueReply({ text, tokens }: LostStream, engine: ChatEngine) {
  return async function* (request: ChatRequest, context: EngineContext): AsyncGenerator<ChatEvent, void, undefined> {
    const start: ChatEvent = { type: 'text', choice: 0, text, tokens };
    const attempts = new Attempts((sent) => (sent === request ? [start] : engine.generate(sent, context)), engine);
    yield* attempts.send(request);
    const limit = request.max_completion_tokens;
    if (limit !== undefined && limit <= tokens) {
      yield { type: 'finish', choice: 0, reason: 'length' };
    } else {
      const max_completion_tokens = limit && limit - tokens;
      yield* attempts.send(withPrefill({ ...request, max_completion_tokens }, text));
    }
    if (attempts.usage) yield { type: 'usage', usage: attempts.usage };
  };
}

/** Removes the first `length` characters of a reply of one choice. */
export async function* withoutStart(
  batches: AsyncIterable<readonly ReplyEvent[]>,
  length: number,
): AsyncGenerator<readonly ReplyEvent[]> {
  let remaining = length;
  for await (const batch of batches) {
    if (remaining === 0) {
      yield batch;
      continue;
    }
    const rest: ReplyEvent[] = [];
    for (const event of batch) {
      if (event.type !== 'text') {
        rest.push(event);
        continue;
      }
      const removed = Math.min(remaining, event.text.length);
      remaining -= removed;
      if (removed < event.text.length) rest.push({ ...event, text: event.text.slice(removed) });
    }
    yield rest;
  }
}
