import { createHash } from 'node:crypto';
import { createGrammarCache } from '@modelwire/grammar';
import { capabilities, invalid } from '@modelwire/ports';
import type { ChatEngine, ChatEvent, ChatModel, ChatRequest, EngineContext } from '@modelwire/ports';
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import type { Binding } from './binding.ts';
import { stride } from './evaluation/evaluator.ts';
import { createStepLoop } from './evaluation/step-loop.ts';
import { resolveOptions } from './options.ts';
import type { ResolvedOptions, LlamaEngineOptions } from './options.ts';
import { promptWriter, rawPrompt } from './prompt/prompt.ts';
import { openTemplate } from './prompt/template.ts';
import type { ChatTemplate } from './prompt/template.ts';
import { planReply, withHiddenReasoning } from './reply/plan.ts';
import { startReply } from './reply/reply.ts';
import type { Reply } from './reply/reply.ts';
import { biases } from './sampling/biases.ts';
import { smallSets } from './sampling/small-sets.ts';
import { serveModel } from './serve-model.ts';
import { orSetupError } from './setup-error.ts';
import { slots } from './slots.ts';
import { readVocabulary } from './vocabulary.ts';

/** Increased when the same request and seed give another reply than before. */
const engineVersion = '2';

/** A chat engine whose model runs in this process. */
export interface LlamaEngine extends ChatEngine {
  /** Maximum tokens of a prompt and its reply together. */
  readonly contextSize: number;
  close(): Promise<void>;
}

/**
 * Loads a GGUF file and serves it as a chat engine: replies, log probabilities and constraints are computed from the model's
 * own token distribution. Needs the optional package node-llama-cpp.
 * @throws {LlamaSetupError} without that package, for invalid options, and for a file that is not a supported chat model.
 */
export async function createLlama(options: LlamaEngineOptions): Promise<LlamaEngine> {
  return serveModel(resolveOptions(options), serve);
}

async function serve(model: LlamaModel, options: ResolvedOptions, binding: Binding): Promise<LlamaEngine> {
  const contextSize = options.contextSize ?? Math.min(4096, model.trainContextSize);
  const [vocabulary, template] = await orSetupError(options, async () => {
    const read = readVocabulary(model);
    return [read, openTemplate(model, read, options.chatTemplate)] as const;
  });
  const context = await orSetupError(options, () => openContext(model, options, contextSize));
  const writePrompt = promptWriter({ model, vocabulary, template, contextSize });
  const pool = slots(context, options.sequences);
  const stepLoop = createStepLoop(stride);
  const sets = smallSets(vocabulary);
  const grammarCache = createGrammarCache();
  const served = Object.freeze([chatModel(options, template)]);
  const fingerprint = fingerprintOf(model, options);
  const works = new Set<Promise<unknown>>();

  async function* generate(
    request: ChatRequest,
    { project, signal }: EngineContext,
    /** Text to continue as it is, instead of the messages in the chat template. */
    text?: string,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    signal.throwIfAborted();
    const plan = await planReply(request, grammarCache.forRequest(), signal);
    const bias = biases(request, vocabulary, () => new binding.TokenBias(model.tokenizer));
    const { tokens: prompt, opensThoughts } =
      text === undefined
        ? await writePrompt(request, plan.tools, signal)
        : { tokens: await rawPrompt({ model, contextSize }, text, signal), opensThoughts: false };
    const { reasoning_effort: effort } = request;
    const thinks = effort !== undefined && effort !== 'none';
    // Some templates open reasoning unconditionally.
    const guide = thinks || opensThoughts ? withHiddenReasoning(plan.guide, opensThoughts) : plan.guide;
    const slot = await pool.acquire(prompt, { project, key: request.prompt_cache_key }, signal);
    // The last sampled token is not evaluated: the context has room for one more than it holds.
    const limit = Math.min(request.max_completion_tokens ?? Infinity, contextSize - prompt.length);
    const rest = prompt.slice(slot.cached);
    const { sequence } = slot;
    const steps = stepLoop.forSequence(slot.position);
    const constraint = { guide, limit, smallSets: sets, biases: bias };
    const reply = startReply({ request, sequence, steps, prompt: rest, vocabulary, signal, ...constraint });
    try {
      // The prompt's tokens, immediately: they are known even when the reply is aborted.
      yield [
        { type: 'meta', system_fingerprint: fingerprint },
        usage(prompt.length, slot.cached, { tokens: 0, hidden: 0 }),
      ];
      yield* reply.events;
      yield [usage(prompt.length, slot.cached, reply)];
    } finally {
      // llama.cpp finishes an evaluation that it has started; until then the sequence is not released.
      const work = reply.stop().then(slot.release);
      works.add(work);
      void work.finally(() => works.delete(work));
    }
  }

  return {
    name: 'llama',
    contextSize,
    models: () => served,
    generate,
    textCompletions: { tokens: false, suffix: false },
    complete(request, context) {
      // The type of `textCompletions` says so.
      if (typeof request.prompt !== 'string') throw invalid('prompt', 'Token IDs are not supported with this model.');
      return generate(request, context, request.prompt);
    },
    concurrency: options.sequences,
    async close() {
      await Promise.all(works);
      await context.dispose();
      await model.dispose();
    },
  };
}

function openContext(model: LlamaModel, options: ResolvedOptions, contextSize: number): Promise<LlamaContext> {
  const { sequences, threads } = options;
  return model.createContext({
    contextSize,
    sequences,
    threads,
    // A batch allocates the scores of all its tokens: with a vocabulary of 262,144, one megabyte each.
    batchSize: stride + sequences,
    // For models with a sliding window too, a prompt must be resumable from any of its tokens.
    swaFullCache: true,
  });
}

function chatModel({ id, created, owned_by }: ResolvedOptions, { asksForThoughts }: ChatTemplate): ChatModel {
  return Object.freeze({
    id,
    created,
    owned_by,
    capabilities: capabilities({
      parameters: {
        frequency_penalty: 'native',
        logit_bias: 'native',
        logprobs: 'native',
        max_completion_tokens: 'native',
        max_tokens: 'native',
        parallel_tool_calls: 'native',
        presence_penalty: 'native',
        prompt_cache_key: 'native',
        reasoning_effort: asksForThoughts ? 'native' : 'refused',
        response_format: 'native',
        seed: 'native',
        temperature: 'native',
        tool_choice: 'native',
        tools: 'native',
        top_logprobs: 'native',
        top_p: 'native',
      },
      roles: ['developer', 'system', 'user', 'assistant', 'tool'],
      response_formats: ['text', 'json_object', 'json_schema'],
      tool_types: ['function', 'custom'],
      grammars: ['lark', 'regex'],
      ...(asksForThoughts && { efforts: { values: ['none', 'medium'], default: 'none' } }),
    }),
  });
}

function usage(prompt: number, cached: number, { tokens, hidden }: Pick<Reply, 'tokens' | 'hidden'>): ChatEvent {
  return {
    type: 'usage',
    usage: {
      prompt_tokens: prompt,
      completion_tokens: tokens,
      total_tokens: prompt + tokens,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: hidden },
    },
  };
}

/** Changes with the file, llama.cpp and everything else that affects the numbers (API: `system_fingerprint`). */
function fingerprintOf(model: LlamaModel, { contextSize, threads, chatTemplate }: ResolvedOptions): string {
  const { fileInfo, size, llama } = model;
  const { general, tokenizer } = fileInfo.metadata;
  const told = [general.architecture, general.name, general.file_type, tokenizer.chat_template, chatTemplate];
  const run = [
    engineVersion,
    size,
    model.typeDescription,
    llama.llamaCppRelease.release,
    llama.gpu,
    contextSize,
    threads,
  ];
  const all = JSON.stringify([told, run]);
  return `fp_${createHash('sha256').update(all).digest('hex').slice(0, 10)}`;
}
