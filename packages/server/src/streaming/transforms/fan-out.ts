import { addCounts } from '@modelwire/core';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { ChatEvent, ChatEvents, ChatRequest } from '@modelwire/ports';
import { flat } from '../events.ts';

/** Maximum number of parallel calls for one request. */
const maxConcurrentCalls = 8;

export interface FanOutOptions {
  readonly request: ChatRequest;
  readonly calls: number;
  /** The client's signal. Each call gets one that also aborts when another call has failed. */
  readonly signal: AbortSignal;
  readonly generate: (request: ChatRequest, signal: AbortSignal) => ChatEvents;
}

/**
 * `n` choices for an engine that generates one at a time (API: `n`): one call for each, up to eight in parallel, with their events
 * interleaved. With a `seed` each call gets a different one, since all choices would be equal otherwise; the first keeps the client's.
 * Usage is the sum, with the prompt of the first attempts counted once.
 */
export async function* fanOut({ request, calls, signal, generate }: FanOutOptions): AsyncGenerator<ChatEvent> {
  const callsController = new AbortController();
  const abort = (): void => callsController.abort(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();

  const ready: ChatEvent[] = [];
  const usages: ChoiceUsage[] = [];
  /** Calls that wait for the client to read. */
  const drainWaiters: (() => void)[] = [];
  const failed: unknown[] = [];
  let wake: (() => void) | undefined;
  let startedCalls = 0;
  let running = 0;

  async function call(choice: number): Promise<void> {
    const seed = request.seed === undefined ? undefined : seedOf(request.seed, choice);
    for await (const event of flat(generate({ ...request, seed }, callsController.signal))) {
      if (event.type === 'usage') usages[choice] = { first: usages[choice]?.first ?? event.usage, last: event.usage };
      else if (event.type !== 'meta') ready.push({ ...event, choice });
      else if (choice === 0) ready.push(event);
      wake?.();
      // A slow reader slows the engine down.
      if (ready.length > highWater) await new Promise<void>((resolve) => drainWaiters.push(resolve));
      if (callsController.signal.aborted) return;
    }
  }
  function startCalls(): void {
    while (running < maxConcurrentCalls && startedCalls < calls && failed.length === 0) {
      running++;
      call(startedCalls++)
        .catch((error: unknown) => {
          failed.push(error);
          callsController.abort(error);
        })
        .finally(() => {
          running--;
          startCalls();
          wake?.();
        });
    }
  }
  startCalls();
  try {
    for (;;) {
      while (ready.length > 0) yield* ready.splice(0);
      for (const go of drainWaiters.splice(0)) go();
      if (failed.length > 0) throw failed[0];
      if (running === 0) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    signal.throwIfAborted();
    // The sum of some calls only would be too low.
    const reportedUsages = usages.filter(Boolean);
    if (reportedUsages.length === calls) yield { type: 'usage', usage: sum(reportedUsages) };
  } finally {
    signal.removeEventListener('abort', abort);
    // The iteration ended early, or a call failed: abort the others.
    callsController.abort(new Error('the other choices are no longer needed'));
    for (const go of drainWaiters.splice(0)) go();
  }
}

/** The seed of a choice: the client's plus its index, within 64 bits. */
function seedOf(seed: number | bigint, choice: number): number | bigint {
  const shifted = BigInt.asIntN(64, BigInt(seed) + BigInt(choice));
  return Number.isSafeInteger(Number(shifted)) ? Number(shifted) : shifted;
}

/** Maximum number of buffered events. */
const highWater = 1000;

/** The usage of one choice, which is that of all its attempts. */
interface ChoiceUsage {
  /** After the first attempt, or earlier. */
  readonly first: CompletionUsage;
  readonly last: CompletionUsage;
}

function sum(usages: readonly ChoiceUsage[]): CompletionUsage {
  let prompt_tokens = usages[0]?.first.prompt_tokens ?? 0;
  let completion_tokens = 0;
  let details: Record<string, number> | undefined;
  for (const { first, last } of usages) {
    prompt_tokens += last.prompt_tokens - first.prompt_tokens;
    completion_tokens += last.completion_tokens;
    details = addCounts(details, last.completion_tokens_details);
  }
  return {
    ...usages[0]?.last,
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(details && { completion_tokens_details: details }),
  };
}
