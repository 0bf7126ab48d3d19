import { hash } from 'node:crypto';
import { createGrammarCache } from '@modelwire/grammar';
import { capabilities, invalid } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatEvents, ChatModel, ChatRequest, EngineContext } from '@modelwire/ports';
import { startChoice } from './generation/choice.ts';
import type { Choice, Part } from './generation/choice.ts';
import { createFixedReply } from './generation/fixed-reply.ts';
import { generate } from './generation/generate.ts';
import type { Runtime } from './generation/generate.ts';
import { trackPrediction } from './generation/prediction.ts';
import { stopTables } from './generation/stop-finder.ts';
import { orInvalid } from './grammar/constraint.ts';
import { resolveOptions } from './options.ts';
import type { ResolvedModel, ResolvedOptions, SimulatorOptions } from './options.ts';
import { planReply } from './plan.ts';
import type { PlannedPart } from './plan.ts';
import { createPromptCache } from './prompt/prompt-cache.ts';
import { createTokenCounter } from './prompt/token-counter.ts';
import { callId, freshName, seededRandom } from './random.ts';
import type { Sampling } from './sampling/distribution.ts';
import { createSampler } from './sampling/sampler.ts';
import { walkGrammar, walkTemplate } from './sampling/walk.ts';
import { isInVocabulary, loadTokenizer } from './tokens/tokenizer.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';
import { warmUp } from './warm-up.ts';

/** Changes when the reply to the same request with the same seed may change. */
const engineVersion = '4';
/** No reply can contain more of a prediction. */
const maxPrediction = 32_768;

/** The simulator, and a way to load its tokenizer before the first request. */
export interface Simulator extends ChatEngine {
  /** Resolves when the tokenizer is loaded (about 0.2 s). Otherwise the first request loads it. */
  ready(): Promise<void>;
}

/**
 * A chat engine without a language model: replies come from templates that fit the prompt, each token drawn from a distribution
 * over the o200k vocabulary. Deterministic for a `seed`. Throws a TypeError for invalid options.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const resolved = resolveOptions(options);
  const models = resolved.models.map(chatModel);
  let loading: Promise<Runtime> | undefined;
  let loaded: Runtime | undefined;
  const load = (): Promise<Runtime> =>
    (loading ??= Promise.all([loadTokenizer(), warmUp()]).then(
      ([tokenizer]) => (loaded = createRuntime(resolved, tokenizer)),
    ));
  return {
    name: 'simulator',
    models: () => models,
    async ready() {
      await load();
    },
    countPromptTokens: (request) => loaded?.counter.countNow(request),
    textCompletions: { tokens: false, suffix: false },
    // The prompt is the user's message: there is no language model that could continue it.
    complete: (request, context) => reply(request, context),
    generate: reply,
  };

  function reply(request: ChatRequest, context: EngineContext): ChatEvents {
    if (loaded) return generate(request, context, loaded);
    return (async function* () {
      const events = generate(request, context, await load());
      if (Symbol.asyncIterator in events) yield* events;
      else yield events;
    })();
  }
}

function chatModel({ id, created, owned_by, reply, efforts }: ResolvedModel): ChatModel {
  const isFixed = reply !== undefined;
  const always = ['logprobs', 'top_logprobs', 'max_completion_tokens', 'max_tokens', 'n', 'seed', 'stop', 'temperature', 'top_p'] as const; // prettier-ignore
  const sampled = ['frequency_penalty', 'presence_penalty', 'logit_bias', 'response_format', 'tools', 'tool_choice', 'parallel_tool_calls', 'prediction', 'prompt_cache_key', 'prompt_cache_retention', 'reasoning_effort', 'verbosity'] as const; // prettier-ignore
  return Object.freeze({
    ...{ id, created, owned_by },
    capabilities: capabilities({
      parameters: { ...support(always, 'native'), ...support(sampled, isFixed ? 'refused' : 'native') },
      inputs: ['text', 'image', 'audio'],
      image_sources: ['data'],
      response_formats: isFixed ? ['text'] : ['text', 'json_object', 'json_schema'],
      ...(!isFixed && {
        roles: ['developer', 'system', 'user', 'assistant', 'tool'],
        tool_types: ['function', 'custom'],
        grammars: ['lark', 'regex'],
        efforts,
      }),
      verbosities: isFixed ? ['medium'] : ['low', 'medium', 'high'],
    }),
  });
}

function support<Name extends string, Kind>(names: readonly Name[], kind: Kind): Partial<Record<Name, Kind>> {
  const parameters: Partial<Record<Name, Kind>> = {};
  for (const name of names) parameters[name] = kind;
  return parameters;
}

function createRuntime(options: ResolvedOptions, tokenizer: Tokenizer): Runtime {
  const counter = createTokenCounter(tokenizer);
  const grammars = createGrammarCache();
  const fixedReplies = new Map(
    options.models.flatMap(({ id, reply, chunks }) => (reply === undefined ? [] : [[id, createFixedReply(reply, chunks, tokenizer)] as const])), // prettier-ignore
  );
  const fingerprint = `fp_${hash('sha256', JSON.stringify([engineVersion, options])).slice(0, 10)}`;
  return {
    ...{ options, counter, fixedReplies, promptCache: createPromptCache(counter) },
    meta: Object.freeze({ type: 'meta', system_fingerprint: fingerprint }),
    async startChoices(request, pause, emit) {
      const fixed = fixedReplies.get(request.model);
      const planned = fixed
        ? [{ kind: 'text', pieces: [[fixed.text]], isFixed: true } as const]
        : await planReply(request, grammars.forRequest(), tokenizer, pause);
      return startChoices(request, planned, tokenizer, emit);
    },
  };
}

function startChoices(
  request: ChatRequest,
  planned: readonly PlannedPart[],
  tokenizer: Tokenizer,
  emit: (event: ChatEvent) => void,
): Choice[] {
  const sampling = samplingOf(request);
  const topLogprobs = request.logprobs ? request.top_logprobs : undefined;
  const stream = request.seed === undefined ? freshName() : `seed ${request.seed}`;
  const stop = stopTables(request.stop);
  const limit = request.max_completion_tokens ?? Infinity;
  const predicted = request.prediction && tokenizer.encode(request.prediction.slice(0, maxPrediction));
  const templates = planned.map(({ pieces }) =>
    pieces.map((piece) => piece.map((wording) => tokenizer.encode(wording))),
  );
  return Array.from({ length: request.n }, (_, index) => {
    const parts = planned.map(({ kind, call, constraint, isFixed }, at): Part => {
      const template = templates[at] ?? [];
      const { grammar, location } = constraint ?? {};
      const walk = grammar
        ? walkGrammar(template[0]?.[0] ?? [], grammar.start(), tokenizer)
        : walkTemplate(template, isFixed);
      // Reasoning does not change the sampling of the reply.
      const order = planned.slice(0, at).filter((part) => part.kind !== 'reasoning').length;
      const random = seededRandom(`${stream} ${index} ${kind === 'reasoning' ? kind : order}`);
      const sample = createSampler(walk, sampling, random, tokenizer, topLogprobs);
      // A grammar that is too ambiguous is detected only while it is followed.
      const source = location ? (left: number) => orInvalid(location, () => sample(left)) : sample;
      return { kind, source, ...(call && { call: { ...call, id: callId() } }) };
    });
    const prediction = predicted ? trackPrediction(predicted) : undefined;
    return startChoice({ index, parts, tokenizer, stop, limit, prediction }, emit);
  });
}

/** Throws a 400 that names `logit_bias` for a token that is not in the vocabulary. */
function samplingOf(request: ChatRequest): Sampling {
  const { temperature, top_p: topP, frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty } = request;
  const bias = new Map<number, number>();
  for (const [key, amount] of Object.entries(request.logit_bias)) {
    const id = /^\d{1,6}$/.test(key) ? Number(key) : -1;
    if (!isInVocabulary(id)) {
      const message = `logit_bias: '${key.slice(0, 40)}' is not a token of this model. Its tokens are those of o200k: 0 to 199997, and 199999.`;
      throw invalid('logit_bias', message);
    }
    bias.set(id, amount);
  }
  return { temperature, topP, frequencyPenalty, presencePenalty, bias };
}
