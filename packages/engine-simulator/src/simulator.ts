import { createGrammarCache } from '@modelwire/grammar';
import { capabilities, invalid } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatModel, ChatRequest, EngineContext } from '@modelwire/ports';
import { cannedReply } from './canned.ts';
import type { CannedReply } from './canned.ts';
import { startChoice } from './choice.ts';
import type { Choice, Part } from './choice.ts';
import { Distribution } from './distribution.ts';
import type { Sampling } from './distribution.ts';
import { generation } from './generation.ts';
import type { Workshop } from './generation.ts';
import { requestGrammars } from './grammar/grammars.ts';
import { startGuidedWalk } from './grammar/guided-walk.ts';
import { masks } from './grammar/masks.ts';
import type { Masks } from './grammar/masks.ts';
import { orRefuse } from './grammar/refusal.ts';
import { buildNgram } from './ngram.ts';
import type { Ngram } from './ngram.ts';
import { fullOptions } from './options.ts';
import type { FullModel, FullOptions, SimulatorOptions } from './options.ts';
import type { PlannedPart } from './parts.ts';
import { planParts } from './planning.ts';
import { prediction } from './prediction.ts';
import { promptCache } from './prompt-cache.ts';
import { promptCounter } from './prompt-tokens.ts';
import { bread, clocks, maps, rivers } from './prose/index.ts';
import { callId, freshName, hash, seededRandom } from './random.ts';
import { sampler } from './sampler.ts';
import type { SamplerInit } from './sampler.ts';
import { tokenizeScript } from './script.ts';
import { stopTables } from './stop-sequences.ts';
import { inVocabulary, loadTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { startWalk } from './walk.ts';
import type { Marks } from './walk.ts';
import { warmUp } from './warm-up.ts';

/** Raised when the same request with the same seed would give another reply than before. */
const engineVersion = '3';

/** The simulator, and a way to load its tokenizer before the first request. */
export interface Simulator extends ChatEngine {
  /** Resolves when the tokenizer is loaded (about 0.2 s); the first request does it otherwise. */
  ready(): Promise<void>;
}

/** More of a prediction than this no reply can hold. */
const longestPrediction = 32_768;

/** What choices are made of. */
interface Parts {
  readonly tokenizer: Tokenizer;
  readonly ngram: Ngram;
  readonly marks: Marks;
  /** For all steps of all requests: a step is worked out in one go. */
  readonly distribution: Distribution;
  readonly masks: Masks;
}

/**
 * A chat engine without a model behind it: replies follow a script that is planned from the prompt, each token drawn from a
 * real distribution over the o200k vocabulary. Deterministic for a `seed`; no download. Throws a TypeError for wrong options.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const full = fullOptions(options);
  const models = full.models.map(chatModel);
  let loading: Promise<Workshop> | undefined;
  let shop: Workshop | undefined;
  const load = (): Promise<Workshop> => (loading ??= openWorkshop(full).then((open) => (shop = open)));
  return {
    name: 'simulator',
    models: () => models,
    async ready() {
      await load();
    },
    // A prompt is counted by the engine itself once its tokenizer is loaded.
    countPromptTokens: (request) => shop?.countPrompt.now(request),
    generate: (request, context) =>
      shop === undefined ? afterwards(load(), request, context) : generation(request, context, shop),
  };
}

async function* afterwards(
  loading: Promise<Workshop>,
  request: ChatRequest,
  context: EngineContext,
): AsyncGenerator<ChatEvent | readonly ChatEvent[], void, undefined> {
  yield* generation(request, context, await loading);
}

function chatModel({ id, created, owned_by, reply, efforts }: FullModel): ChatModel {
  const fixed = reply === undefined ? 'native' : 'refused';
  return Object.freeze({
    id,
    created,
    owned_by,
    capabilities: capabilities({
      parameters: {
        frequency_penalty: fixed,
        presence_penalty: fixed,
        logit_bias: fixed,
        logprobs: 'native',
        top_logprobs: 'native',
        max_completion_tokens: 'native',
        max_tokens: 'native',
        n: 'native',
        seed: 'native',
        stop: 'native',
        temperature: 'native',
        top_p: 'native',
        response_format: fixed,
        tools: fixed,
        tool_choice: fixed,
        parallel_tool_calls: fixed,
        prediction: fixed,
        prompt_cache_key: fixed,
        prompt_cache_retention: fixed,
        reasoning_effort: efforts ? 'native' : 'refused',
        verbosity: fixed,
      },
      inputs: ['text', 'image', 'audio'],
      image_sources: ['data'],
      response_formats: reply === undefined ? ['text', 'json_object', 'json_schema'] : ['text'],
      ...(reply === undefined && {
        roles: ['developer', 'system', 'user', 'assistant', 'tool'],
        tool_types: ['function', 'custom'],
        grammars: ['lark', 'regex'],
        efforts,
      }),
      verbosities: reply === undefined ? ['low', 'medium', 'high'] : ['medium'],
    }),
  });
}

async function openWorkshop(options: FullOptions): Promise<Workshop> {
  const tokenizer = await loadTokenizer();
  await warmUp();
  const canned = new Map<string, CannedReply>();
  for (const { id, reply, chunks } of options.models) {
    if (reply !== undefined) canned.set(id, cannedReply(reply, chunks, tokenizer));
  }
  const [fullStop = 13] = tokenizer.encode('.');
  const endsSentence = (id: number): boolean => {
    const piece = tokenizer.piece(id);
    return typeof piece === 'string' && /[.!?\n]["”)]?$/.test(piece);
  };
  const parts: Parts = {
    tokenizer,
    ngram: buildNgram(tokenizer, [...rivers, ...clocks, ...bread, ...maps]),
    marks: { fullStop, endsSentence },
    distribution: new Distribution(),
    masks: masks(tokenizer),
  };
  const grammarCache = createGrammarCache();
  return {
    options,
    countPrompt: promptCounter(tokenizer),
    cache: promptCache(tokenizer),
    canned,
    meta: Object.freeze({ type: 'meta', system_fingerprint: systemFingerprint(options) }),
    plan: (request, breathe) => planParts(request, requestGrammars(grammarCache), tokenizer, breathe),
    prepareMasks: (breathe) => parts.masks.prepare(breathe),
    startChoices: (request, planned) => startChoices(request, planned, parts),
  };
}

/** Changes with the engine, its texts and its options: interface, `system_fingerprint`. */
function systemFingerprint(options: FullOptions): string {
  const all = JSON.stringify([engineVersion, rivers, clocks, bread, maps, options]);
  return `fp_${[0x811c9dc5, 0x1b873593]
    .map((basis) => hash(all, basis).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 10)}`;
}

function startChoices(request: ChatRequest, planned: readonly PlannedPart[] | CannedReply, parts: Parts): Choice[] {
  const { tokenizer } = parts;
  const limit = request.max_completion_tokens ?? Infinity;
  const topLogprobs = request.logprobs ? request.top_logprobs : undefined;
  const sampling = samplingOf(request);
  const stop = stopTables(request.stop);
  const stream = request.seed === undefined ? freshName() : `seed ${request.seed}`;
  const predicted =
    request.prediction === undefined ? undefined : tokenizer.encode(request.prediction.slice(0, longestPrediction));
  const starters = 'source' in planned ? [] : planned.map((part) => starter(part, parts));
  return Array.from({ length: request.n }, (_, index) => {
    const init = { index, tokenizer, stop, limit, prediction: predicted && prediction(predicted) };
    if ('source' in planned) {
      return startChoice({ ...init, parts: [{ kind: 'text', source: planned.source(topLogprobs) }] });
    }
    let visible = 0;
    const said = starters.map((start, at): Part => {
      // What is thought before a reply does not change how it is drawn.
      const own = planned[at]?.kind === 'hidden' ? ' hidden' : visible++ === 0 ? '' : ` ${visible}`;
      return start({ sampling, random: seededRandom(`${stream} ${index}${own}`), topLogprobs });
    });
    return startChoice({ ...init, parts: said });
  });
}

type Start = (of: Pick<SamplerInit, 'sampling' | 'random' | 'topLogprobs'>) => Part;

/** What all choices share of a part is made once: the tokens of its script. */
function starter({ kind, segments, held, opening }: PlannedPart, parts: Parts): Start {
  const { tokenizer, ngram, marks, distribution, masks } = parts;
  if (!held) {
    const script = tokenizeScript(segments, tokenizer);
    return (of) => ({
      ...{ kind, ...called(opening) },
      source: sampler({ walk: startWalk(script, ngram, marks), distribution, tokenizer, ...of }),
    });
  }
  const script = tokenizer.encode(segments[0]?.[0] ?? '');
  return (of) => {
    const walk = startGuidedWalk({ script, state: held.grammar.start(), tokenizer, ngram, masks });
    const draw = sampler({ walk, distribution, tokenizer, ...of });
    // A grammar that is ambiguous without bound shows it while it is followed.
    return { kind, ...called(opening), source: (left) => orRefuse(held.place, () => draw(left)) };
  };
}

function called(opening: PlannedPart['opening']): Pick<Part, 'opening'> {
  return opening === undefined ? {} : { opening: { ...opening, id: callId() } };
}

/** Throws a 400 that names `logit_bias` for a token that is not in the vocabulary. */
function samplingOf(request: ChatRequest): Sampling {
  const bias = Object.entries(request.logit_bias).map(([key, amount]) => {
    const id = /^\d{1,6}$/.test(key) ? Number(key) : -1;
    if (!inVocabulary(id)) {
      throw invalid(
        'logit_bias',
        `logit_bias: '${key.slice(0, 40)}' is no token of this model. Its tokens are o200k's: 0 to 199997, and 199999.`,
      );
    }
    return [id, amount] as const;
  });
  return {
    temperature: request.temperature,
    topP: request.top_p,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    bias,
  };
}
