import type { CompletionUsage } from '@modelwire/schema/types';
import type { ChatEvent, ChatRequest } from '../ports/chat-engine.ts';

/**
 * `n` choices from an engine that makes one at a time (interface: `n`): as many calls at once, their events interleaved as
 * they come. With a `seed` each call gets its own, or all choices would be the same; the first keeps the caller's.
 * Usage is the sum, the prompt counted once.
 */
export async function* fanOut(
  request: ChatRequest,
  calls: number,
  generate: (request: ChatRequest) => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  const seed = request.seed;
  const iterators = Array.from({ length: calls }, (_, index) =>
    generate(seed === undefined || index === 0 ? request : { ...request, seed: seed + index })[Symbol.asyncIterator](),
  );
  const next = async (choice: number) => ({ choice, result: await iterators[choice]?.next() });
  const pending = new Map(iterators.map((_, choice) => [choice, next(choice)]));
  const usages = new Map<number, CompletionUsage>();
  try {
    while (pending.size > 0) {
      const { choice, result } = await Promise.race(pending.values());
      if (!result || result.done) {
        pending.delete(choice);
        continue;
      }
      pending.set(choice, next(choice));
      const event = result.value;
      if (event.type === 'usage') usages.set(choice, event.usage);
      else if (event.type !== 'meta') yield { ...event, choice };
      else if (choice === 0) yield event;
    }
    if (usages.size > 0) yield { type: 'usage', usage: sum([...usages.values()]) };
  } finally {
    // One failed, or the caller left: the others end too.
    for (const [choice, promise] of pending) {
      promise.catch(() => undefined);
      iterators[choice]?.return?.().catch(() => undefined);
    }
  }
}

function sum(usages: readonly CompletionUsage[]): CompletionUsage {
  const first = usages[0];
  const prompt_tokens = first?.prompt_tokens ?? 0;
  const completion_tokens = usages.reduce((total, usage) => total + usage.completion_tokens, 0);
  const details: Record<string, number> = {};
  for (const { completion_tokens_details = {} } of usages) {
    for (const [name, value] of Object.entries(completion_tokens_details)) details[name] = (details[name] ?? 0) + value;
  }
  return {
    ...first,
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(Object.keys(details).length > 0 && { completion_tokens_details: details }),
  };
}
