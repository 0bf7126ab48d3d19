import { capabilities, invalid } from '@modelwire/server';
import type { ChatEngine, ChatEvent, ChatModel, ChatRequest, EngineContext } from '@modelwire/server';
import { cannedReply } from './canned.ts';
import type { CannedReply } from './canned.ts';
import { startChoice } from './choice.ts';
import type { Choice } from './choice.ts';
import { Distribution } from './distribution.ts';
import type { Sampling } from './distribution.ts';
import { generation } from './generation.ts';
import type { Workshop } from './generation.ts';
import { buildNgram } from './ngram.ts';
import type { Ngram } from './ngram.ts';
import { fullOptions } from './options.ts';
import type { FullModel, FullOptions, SimulatorOptions } from './options.ts';
import { promptCounter } from './prompt-tokens.ts';
import { bread, clocks, maps, rivers } from './prose/index.ts';
import { freshName, hash, seededRandom } from './random.ts';
import { planReply } from './replies/plan.ts';
import { sampler } from './sampler.ts';
import { tokenizeScript } from './script.ts';
import { stopTables } from './stop-sequences.ts';
import { inVocabulary, loadTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { startWalk } from './walk.ts';
import type { Marks } from './walk.ts';

/** Raised when the same request with the same seed would give another reply than before. */
const engineVersion = '1';

/** The simulator, and a way to load its tokenizer before the first request. */
export interface Simulator extends ChatEngine {
  /** Resolves when the tokenizer is loaded (about 0.2 s); the first request does it otherwise. */
  ready(): Promise<void>;
}

/** What choices are made of. */
interface Parts {
  readonly tokenizer: Tokenizer;
  readonly ngram: Ngram;
  readonly marks: Marks;
  /** For all steps of all requests: a step is worked out in one go. */
  readonly distribution: Distribution;
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
    generate: (request, context) =>
      shop === undefined ? afterwards(load(), request, context) : generation(request, context, shop),
  };
}

async function* afterwards(
  loading: Promise<Workshop>,
  request: ChatRequest,
  context: EngineContext,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  yield* generation(request, context, await loading);
}

function chatModel({ id, created, owned_by, reply }: FullModel): ChatModel {
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
        verbosity: fixed,
      },
      verbosities: reply === undefined ? ['low', 'medium', 'high'] : ['medium'],
    }),
  });
}

async function openWorkshop(options: FullOptions): Promise<Workshop> {
  const tokenizer = await loadTokenizer();
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
  };
  return {
    options,
    countPrompt: promptCounter(tokenizer),
    canned,
    meta: Object.freeze({ type: 'meta', system_fingerprint: systemFingerprint(options) }),
    startChoices: (request, reply) => startChoices(request, reply, parts),
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

function startChoices(request: ChatRequest, canned: CannedReply | undefined, parts: Parts): Choice[] {
  const { tokenizer, ngram, marks, distribution } = parts;
  const limit = request.max_completion_tokens ?? Infinity;
  const topLogprobs = request.logprobs ? request.top_logprobs : undefined;
  const sampling = samplingOf(request);
  const script = canned === undefined ? tokenizeScript(planReply(request), tokenizer) : [];
  const stop = stopTables(request.stop);
  const stream = request.seed === undefined ? freshName() : `seed ${request.seed}`;
  return Array.from({ length: request.n }, (_, index) => {
    const source =
      canned?.source(topLogprobs) ??
      sampler({
        walk: startWalk(script, ngram, marks),
        distribution,
        sampling,
        random: seededRandom(`${stream} ${index}`),
        tokenizer,
        topLogprobs,
      });
    return startChoice({ index, source, tokenizer, stop, limit });
  });
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
