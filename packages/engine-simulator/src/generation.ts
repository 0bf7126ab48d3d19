import type { ChatEvent, ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import { modelNotFound } from '@modelwire/ports';
import type { CannedReply } from './canned.ts';
import type { Choice } from './choice.ts';
import { audioTokensIn } from './media.ts';
import type { FullOptions } from './options.ts';
import type { PlannedPart } from './parts.ts';
import { breather, wait } from './pace.ts';
import { shortestCached } from './prompt-cache.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Breathe, PromptCounter } from './prompt-tokens.ts';

/** Tokens that are drawn before the reader gets them, where nothing paces the reply: a third of a millisecond. */
const batch = 32;

/** What generations share. */
export interface Workshop {
  readonly options: FullOptions;
  readonly countPrompt: PromptCounter;
  readonly cache: PromptCache;
  readonly canned: ReadonlyMap<string, CannedReply>;
  /** The first event of each reply. */
  readonly meta: ChatEvent;
  /** What a reply that is drawn consists of. */
  plan(request: ChatRequest, breathe: Breathe): readonly PlannedPart[] | Promise<readonly PlannedPart[]>;
  /** Prepares what sampling under a grammar needs. */
  prepareMasks(breathe: Breathe): Promise<void>;
  startChoices(request: ChatRequest, planned: readonly PlannedPart[] | CannedReply): Choice[];
}

type Events = readonly ChatEvent[];

/**
 * A reply in lists of events. A canned one that can be had without waiting is the one list: nobody waits, and the signal is not
 * asked for.
 */
export function generation(request: ChatRequest, context: EngineContext, shop: Workshop): ChatEvents {
  const { options, countPrompt, meta } = shop;
  const canned = shop.canned.get(context.model.id);
  if (canned?.fits(request) === true && !isPaced(options)) {
    const list = canned.list(request.n, context.wire.stream === true);
    const prompt = list && countPrompt.now(request);
    if (prompt === undefined) return cannedLists(canned, request, context, shop);
    return [meta, ...(list ?? []), usage(prompt, canned.tokens * request.n, heard(request))];
  }
  return drawn(canned, request, context, shop);
}

async function* cannedLists(
  canned: CannedReply,
  request: ChatRequest,
  context: EngineContext,
  { countPrompt, meta }: Workshop,
): AsyncGenerator<Events, void, undefined> {
  context.signal.throwIfAborted();
  const breathe = breather(context);
  const prompt = countPrompt.now(request) ?? (await countPrompt.count(request, breathe));
  yield [meta];
  for (const list of canned.lists(request.n)) {
    yield list;
    context.signal.throwIfAborted();
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  yield [usage(prompt, canned.tokens * request.n, heard(request))];
}

async function* drawn(
  canned: CannedReply | undefined,
  request: ChatRequest,
  context: EngineContext,
  shop: Workshop,
): AsyncGenerator<Events, void, undefined> {
  const { options, countPrompt, meta } = shop;
  const { signal } = context;
  signal.throwIfAborted();
  if (!options.models.some(({ id }) => id === context.model.id)) throw modelNotFound(context.model.id);
  const paced = isPaced(options);
  const started = performance.now();
  const breathe = breather(context);
  const prompt = countPrompt.now(request) ?? (await countPrompt.count(request, breathe));
  const cached = canned || prompt < shortestCached ? 0 : await reused(request, context, shop, breathe);
  const planned = canned ?? (await shop.plan(request, breathe));
  await breathe();
  if (!('source' in planned) && planned.some(({ held }) => held) && countsTokens(request)) {
    await shop.prepareMasks(breathe);
  }
  const choices = shop.startChoices(request, planned);
  let running: Choice[] = choices;
  let out: ChatEvent[] = [meta];
  if (paced) {
    yield out;
    out = [];
  }
  for (let round = 0; running.length > 0; round++) {
    if (paced) {
      const due = started + options.firstTokenDelayMs + (round * 1000) / options.tokensPerSecond;
      const early = due - performance.now();
      // Timers are no finer than a millisecond; what is lost is made up in the next rounds.
      if (early >= 1) await wait(early, signal);
    }
    const still: Choice[] = [];
    for (const choice of running) {
      const pause = breathe();
      if (pause !== undefined) {
        // The reader may have what there is before others have their turn.
        if (out.length > 0) {
          yield out;
          out = [];
        }
        await pause;
      }
      if (choice.step(out)) still.push(choice);
      if (out.length < batch && !(paced && choice === running.at(-1))) continue;
      if (out.length > 0) yield out;
      out = [];
      signal.throwIfAborted();
    }
    running = still;
  }
  yield [...out, usageOf(prompt, cached, choices, heard(request).heard)];
}

/** Whether sampling under a grammar needs the number of allowed tokens, beyond those that the script suggests. */
function countsTokens(request: ChatRequest): boolean {
  return (
    request.logprobs ||
    request.top_p < 1 ||
    request.temperature > 1 ||
    request.frequency_penalty !== 0 ||
    request.presence_penalty !== 0 ||
    Object.keys(request.logit_bias).length > 0
  );
}

function isPaced(options: FullOptions): boolean {
  return options.tokensPerSecond < Infinity || options.firstTokenDelayMs > 0;
}

function reused(
  request: ChatRequest,
  { project, model }: EngineContext,
  { cache }: Workshop,
  breathe: Breathe,
): Promise<number> {
  const scope = { project, model: model.id, key: request.prompt_cache_key };
  return cache.reuse(request, scope, request.prompt_cache_retention ?? 'in_memory', breathe);
}

function usageOf(prompt: number, cached: number, choices: readonly Choice[], heard: number): ChatEvent {
  const sum = (of: (choice: Choice) => number | undefined): number =>
    choices.reduce((total, choice) => total + (of(choice) ?? 0), 0);
  const rejected = sum(({ prediction }) => prediction?.rejected);
  const reasoning = sum(({ hidden }) => hidden);
  return usage(prompt, sum(({ tokens }) => tokens) + reasoning + rejected, {
    accepted: sum(({ prediction }) => prediction?.accepted),
    rejected,
    reasoning,
    cached,
    heard,
  });
}

const nothing = { accepted: 0, rejected: 0, reasoning: 0, cached: 0, heard: 0 };

/** Tokens of audio in the prompt. */
function heard({ messages }: ChatRequest): typeof nothing {
  const tokens = audioTokensIn(messages);
  return tokens === 0 ? nothing : { ...nothing, heard: tokens };
}

function usage(
  prompt: number,
  completion: number,
  { accepted, rejected, reasoning, cached, heard: audio } = nothing,
): ChatEvent {
  return {
    type: 'usage',
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { audio_tokens: audio, cached_tokens: cached },
      completion_tokens_details: {
        accepted_prediction_tokens: accepted,
        audio_tokens: 0,
        reasoning_tokens: reasoning,
        rejected_prediction_tokens: rejected,
      },
    },
  };
}
