import type { CompletionUsage } from '@modelwire/schema/types';
import { modelNotFound } from '@modelwire/ports';
import type { ChatEvent, ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import type { ResolvedOptions } from '../options.ts';
import { audioTokensIn } from '../prompt/media.ts';
import { minCachedTokens } from '../prompt/prompt-cache.ts';
import type { PromptCache } from '../prompt/prompt-cache.ts';
import type { TokenCounter } from '../prompt/token-counter.ts';
import { sleep, yielder } from '../sampling/pace.ts';
import type { Yield } from '../sampling/pace.ts';
import type { Choice } from './choice.ts';
import type { FixedReply } from './fixed-reply.ts';

/** Number of tokens that are yielded together, unless the reply is paced: they take a third of a millisecond. */
const batchSize = 32;

/** What all generations share. */
export interface Runtime {
  readonly options: ResolvedOptions;
  readonly counter: TokenCounter;
  readonly promptCache: PromptCache;
  readonly fixedReplies: ReadonlyMap<string, FixedReply>;
  /** The first event of each reply. */
  readonly meta: ChatEvent;
  /** Plans the reply, and starts all of its choices. */
  startChoices(request: ChatRequest, pause: Yield, emit: (event: ChatEvent) => void): Promise<Choice[]>;
}

/** A reply as arrays of events. A prepared reply is returned synchronously as a single array. */
export function generate(request: ChatRequest, context: EngineContext, runtime: Runtime): ChatEvents {
  const prompt = runtime.counter.countNow(request);
  return (prompt !== undefined && preparedReply(request, context, runtime, prompt)) || generateInSteps(request, context, runtime, prompt); // prettier-ignore
}

/** The prepared reply of a model with a fixed reply, if there is one. */
function preparedReply(
  request: ChatRequest,
  { model, requestBody }: EngineContext,
  { options, fixedReplies, meta }: Runtime,
  prompt: number,
): readonly ChatEvent[] | undefined {
  const fixed = isPaced(options) ? undefined : fixedReplies.get(model.id);
  const events = fixed?.events(request, requestBody.stream === true);
  return fixed && events && [meta, ...events, usageEvent(request, prompt, 0, fixed.tokens * request.n)];
}

async function* generateInSteps(
  request: ChatRequest,
  context: EngineContext,
  runtime: Runtime,
  counted: number | undefined,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const { options, counter, meta, fixedReplies, promptCache } = runtime;
  const { signal, model, project } = context;
  signal.throwIfAborted();
  if (!options.models.some(({ id }) => id === model.id)) throw modelNotFound(model.id);
  const startedAt = performance.now();
  const pause = yielder(context);
  const prompt = counted ?? (await counter.count(request, pause));
  const prepared = preparedReply(request, context, runtime, prompt);
  if (prepared) return yield prepared;
  const scope = { project, model: model.id, key: request.prompt_cache_key };
  const isCacheable = prompt >= minCachedTokens && !fixedReplies.has(model.id);
  const cached = isCacheable ? await promptCache.reuse(request, scope, request.prompt_cache_retention, pause) : 0;
  const out: ChatEvent[] = [meta];
  const taken = (): readonly ChatEvent[] => out.splice(0);
  const choices = await runtime.startChoices(request, pause, (event) => void out.push(event));
  if (isPaced(options)) yield taken();
  let running = choices;
  for (let round = 0; running.length > 0; round++) {
    const delay = startedAt + options.firstTokenDelayMs + (round * 1000) / options.tokensPerSecond - performance.now();
    // Timers have a resolution of a millisecond: the next rounds compensate for delays.
    if (isPaced(options) && delay >= 1) await sleep(delay, signal);
    const unfinished: Choice[] = [];
    for (const choice of running) {
      const wait = pause();
      if (wait) {
        if (out.length > 0) yield taken();
        await wait;
        signal.throwIfAborted();
      }
      if (choice.run.next().done !== true) unfinished.push(choice);
      const isDue = out.length >= batchSize || (isPaced(options) && choice === running.at(-1));
      if (isDue && out.length > 0) yield taken();
      if (isDue) signal.throwIfAborted();
    }
    running = unfinished;
  }
  yield [...out, usageEvent(request, prompt, cached, 0, choices)];
}

function isPaced({ tokensPerSecond, firstTokenDelayMs }: ResolvedOptions): boolean {
  return tokensPerSecond < Infinity || firstTokenDelayMs > 0;
}

/** `completion`: tokens in addition to those of the choices. */
function usageEvent(
  { messages }: ChatRequest,
  prompt: number,
  cached: number,
  completion: number,
  choices: readonly Choice[] = [],
) {
  const sum = (of: (choice: Choice) => number | undefined) => choices.reduce((total, one) => total + (of(one) ?? 0), 0);
  const rejected = sum(({ prediction }) => prediction?.rejected);
  const reasoning = sum(({ counts }) => counts.reasoning);
  const completionTokens = completion + sum(({ counts }) => counts.sent) + reasoning + rejected;
  const usage: CompletionUsage = {
    prompt_tokens: prompt,
    completion_tokens: completionTokens,
    total_tokens: prompt + completionTokens,
    prompt_tokens_details: { audio_tokens: audioTokensIn(messages), cached_tokens: cached },
    completion_tokens_details: {
      accepted_prediction_tokens: sum(({ prediction }) => prediction?.accepted),
      audio_tokens: 0,
      reasoning_tokens: reasoning,
      rejected_prediction_tokens: rejected,
    },
  };
  return { type: 'usage', usage } as const;
}
