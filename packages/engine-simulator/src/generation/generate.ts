import type { CompletionUsage } from '@modelwire/schema/types';
import { createPause, sleep } from '@modelwire/adapter-kit';
import { usesPromptCache } from '@modelwire/adapter-kit/internal';
import type { ChatEvent, ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import type { ResolvedOptions } from '../options.ts';
import { planReply } from '../plan.ts';
import { mediaTokensIn } from '../prompt/media.ts';
import type { MeasuredPrompt } from '../prompt/prompt-cache.ts';
import { generateParts, zeroCounts } from './generate-parts.ts';
import type { TokenCounts } from './generate-parts.ts';
import type { Runtime } from './runtime.ts';

/** Number of tokens that are yielded together, unless the reply is paced: they take a third of a millisecond. */
const batchSize = 32;

/** A reply as arrays of events. A prepared reply to a short prompt is returned synchronously as a single array. */
export function generate(request: ChatRequest, context: EngineContext, runtime: Runtime): ChatEvents {
  const isFixed = runtime.fixedReplies.has(context.model.id);
  const prompt = isFixed ? runtime.counter.countNow(request) : undefined;
  const prepared = prompt === undefined ? undefined : preparedReply(request, context, runtime, prompt);
  return prepared ?? generateInSteps(request, context, runtime);
}

/** The prepared reply of a model with a fixed reply, if there is one. */
function preparedReply(
  request: ChatRequest,
  { model, requestBody }: EngineContext,
  { options, fixedReplies, meta }: Runtime,
  tokens: number,
): readonly ChatEvent[] | undefined {
  const fixed = isPaced(options) ? undefined : fixedReplies.get(model.id);
  const events = fixed?.events(request, requestBody.stream === true);
  return fixed && events && [meta, ...events, usageEvent(request, { tokens, ...uncached }, fixed.counts)];
}

async function* generateInSteps(
  request: ChatRequest,
  context: EngineContext,
  runtime: Runtime,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const { options, tokenizer, counter, meta, fixedReplies, promptCache, grammars } = runtime;
  const { signal, model, project } = context;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const pause = createPause(signal);
  const fixed = fixedReplies.get(model.id);
  const prompt =
    fixed || !usesPromptCache(request)
      ? { tokens: await counter.count(request, pause), ...uncached }
      : await promptCache.measure(request, [project, model.id], pause);
  const prepared = preparedReply(request, context, runtime, prompt.tokens);
  if (prepared) return yield prepared;
  const parts = fixed ? [fixed.part] : await planReply(request, grammars.forRequest(), tokenizer, pause);
  const counts = { ...zeroCounts };
  const out: ChatEvent[] = [meta];
  const tokens = generateParts(request, parts, tokenizer, counts, (event) => void out.push(event));
  const arePaced = isPaced(options);
  for (let round = 0; ; round++) {
    const step = tokens.next();
    if (step.done === true) {
      yield [...out, { type: 'finish', choice: 0, reason: step.value }, usageEvent(request, prompt, counts)];
      return;
    }
    const wait = pause();
    if (out.length >= batchSize || (out.length > 0 && (arePaced || wait))) {
      yield out.splice(0);
      signal.throwIfAborted();
    }
    if (wait) await wait;
    if (!arePaced) continue;
    const delay = startedAt + options.firstTokenDelayMs + (round * 1000) / options.tokensPerSecond - performance.now();
    // Timers have a resolution of a millisecond: the next rounds compensate for delays.
    if (delay >= 1) await sleep(delay, signal);
  }
}

function isPaced({ tokensPerSecond, firstTokenDelayMs }: ResolvedOptions): boolean {
  return tokensPerSecond < Infinity || firstTokenDelayMs > 0;
}

const uncached = { cached: 0, written: 0 };

function usageEvent({ messages }: ChatRequest, prompt: MeasuredPrompt, counts: TokenCounts): ChatEvent {
  const { tokens, cached, written } = prompt;
  const { sent, reasoning, accepted, rejected } = counts;
  const audio = mediaTokensIn(messages, 'audio');
  const image = mediaTokensIn(messages, 'image');
  const completion = sent + reasoning + rejected;
  const usage: CompletionUsage = {
    prompt_tokens: tokens,
    completion_tokens: completion,
    total_tokens: tokens + completion,
    prompt_tokens_details: {
      audio_tokens: audio,
      cached_tokens: cached,
      cache_write_tokens: written,
      image_tokens: image,
      text_tokens: tokens - audio - image,
    },
    completion_tokens_details: {
      accepted_prediction_tokens: accepted,
      audio_tokens: 0,
      reasoning_tokens: reasoning,
      rejected_prediction_tokens: rejected,
      text_tokens: sent,
    },
  };
  return { type: 'usage', usage };
}
