import { createHash } from 'node:crypto';
import { usesPromptCache } from '@modelwire/adapter-kit/internal';
import { createGrammarCache } from '@modelwire/grammar';
import { capabilities } from '@modelwire/ports';
import type {
  ChatEngine,
  ChatEvent,
  ChatModel,
  ChatRequest,
  EngineContext,
  TextCompletionRequest,
} from '@modelwire/ports';
import type { ModelRuntime } from '@modelwire/schema/types';
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { ggmlType } from './backend/cache-type.ts';
import { batchTokens } from './backend/context-memory.ts';
import { describeRuntime, placementWarning } from './backend/runtime.ts';
import { warmUp } from './evaluation/warm-up.ts';
import { createStepLoop } from './evaluation/step-loop.ts';
import { resolveOptions } from './options.ts';
import type { DeviceOptions, LlamaEngineOptions } from './options.ts';
import { createPromptBuilder } from './prompt/prompt.ts';
import { readRawPrompt } from './prompt/raw-prompt.ts';
import { openTemplate } from './prompt/template.ts';
import type { ChatTemplate } from './prompt/template.ts';
import { tokenizePrediction } from './prompt/tokenize.ts';
import { planReply, withHiddenReasoning } from './reply/plan.ts';
import { startReply } from './reply/reply.ts';
import type { Reply } from './reply/reply.ts';
import { createBiases } from './sampling/biases.ts';
import { createAllowedTokenLookup } from './sampling/allowed-tokens.ts';
import { repeatWindow } from './sampling/token-sampler.ts';
import { createForcedTokenLookup } from './sampling/forced-tokens.ts';
import { serveModel } from './serve-model.ts';
import type { LoadedModel } from './serve-model.ts';
import { LlamaSetupError, withSetupErrors } from './setup-error.ts';
import { createSlotPool } from './slot-pool.ts';
import { readVocabulary } from './vocabulary.ts';

/** Must be increased when the same request and seed give a different reply than before. */
const engineVersion = '4';

/** A chat engine whose model runs in this process. */
export interface LlamaEngine extends ChatEngine {
  /** The maximum number of tokens of a prompt and its reply together. */
  readonly contextSize: number;
  /** Why the GPU is used partly or not at all, although `gpu` is `auto`; undefined without a GPU. */
  readonly warning: string | undefined;
  close(): Promise<void>;
}

/**
 * Loads a GGUF file and serves it as a chat engine. Replies, log probabilities and constraints are computed from the token distribution of
 * the model. Requires the optional package node-llama-cpp.
 * @throws {LlamaSetupError} without that package, for invalid options, and for a file that is not a supported chat model.
 */
export async function createLlama(options: LlamaEngineOptions): Promise<LlamaEngine> {
  return serveModel(resolveOptions(options), serve);
}

async function serve({ llama, model, placement, binding }: LoadedModel, options: DeviceOptions): Promise<LlamaEngine> {
  const { isRecurrent, isHybrid } = model.fileInsights;
  // Rejected tokens are removed, which the state of a recurrent model does not allow.
  const canRejectTokens = !isRecurrent && !isHybrid;
  if (options.promptLookup && !canRejectTokens)
    throw new LlamaSetupError(`promptLookup is not possible with a recurrent model such as '${options.path}'`);
  const [vocabulary, template] = await withSetupErrors(options, async () => {
    const read = readVocabulary(model);
    return [read, openTemplate(model, read, options.chatTemplate)] as const;
  });
  const context = await withSetupErrors(options, () => openContext({ model, placement, binding }, options));
  const { contextSize, sequences } = placement;
  const buildPrompt = createPromptBuilder({ model, vocabulary, template, contextSize });
  // A prompt that is too long is counted, too.
  const buildAnyPrompt = createPromptBuilder({ model, vocabulary, template, contextSize: Infinity });
  const pool = createSlotPool(context, sequences);
  const stepLoop = createStepLoop(batchTokens(options, sequences));
  const allowedTokens = createAllowedTokenLookup(vocabulary);
  const forcedTokens = createForcedTokenLookup(vocabulary);
  const grammarCache = createGrammarCache();
  await withSetupErrors(options, () => warmUp(model, pool, options.batchSize));
  const runtime = await describeRuntime({ llama, model, context, placement });
  const models = Object.freeze([chatModel(options, template, runtime, canRejectTokens)]);
  const fingerprint = computeFingerprint(model, options, runtime);
  const runningReplies = new Set<Promise<unknown>>();

  async function* generate(
    request: ChatRequest,
    { project, signal }: EngineContext,
    /** A prompt to continue without the chat template, instead of the messages. */
    completion?: TextCompletionRequest,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    signal.throwIfAborted();
    const plan = await planReply(request, grammarCache.forRequest(), signal);
    const biases = createBiases(request, vocabulary, () => new binding.TokenBias(model.tokenizer));
    const raw = completion && (await readRawPrompt({ model, vocabulary, contextSize }, completion.prompt, signal));
    const { tokens: prompt, opensReasoning } = raw ?? (await buildPrompt(request, plan.tools, signal));
    const { prediction } = request;
    const predicted = prediction ? await tokenizePrediction({ model, contextSize }, prediction, signal) : undefined;
    const lookupPrompt = options.promptLookup ? prompt : undefined;
    const echo = completion?.echo === true ? raw : undefined;
    const { reasoning_effort: effort } = request;
    const isReasoning = effort !== undefined && effort !== 'none';
    // Some templates open reasoning unconditionally.
    const guide = isReasoning || opensReasoning ? withHiddenReasoning(plan.guide, opensReasoning) : plan.guide;
    const slot = await pool.acquire(prompt, { project, key: request.prompt_cache_key }, signal, {
      usesCache: !(echo && request.logprobs),
      isCached: usesPromptCache(request),
    });
    // The last sampled token is not evaluated, so that a reply can have one token more than fits into the context.
    const limit = Math.min(request.max_completion_tokens ?? Infinity, contextSize - prompt.length);
    const rest = prompt.slice(slot.cached);
    const { sequence } = slot;
    const steps = stepLoop.forSequence(slot.position);
    const recentTokens = prompt.slice(-repeatWindow);
    const constraint = { recentTokens, guide, limit, allowedTokens, forcedTokens, biases };
    const { batchSize } = options;
    const target = { request, sequence, steps, batchSize, prompt: rest, echo, vocabulary, signal };
    const reply = startReply({ ...target, ...constraint, predicted, lookupPrompt });
    try {
      // Reports the prompt tokens immediately, so that they are known even if the reply is aborted.
      yield [
        { type: 'meta', system_fingerprint: fingerprint },
        usage(prompt.length, slot.cached, { tokens: 0, hidden: 0, prediction: { accepted: 0, rejected: 0 } }),
      ];
      yield* reply.events;
      yield [usage(prompt.length, slot.cached, reply)];
    } finally {
      // llama.cpp finishes an evaluation that it has started. The sequence is released after that.
      const stopped = reply.stop().then(slot.release);
      runningReplies.add(stopped);
      void stopped.finally(() => runningReplies.delete(stopped));
    }
  }

  return {
    name: 'llama',
    contextSize,
    warning: placementWarning(options, runtime),
    models: () => models,
    generate,
    async countTokens(request, signal) {
      const { tools } = await planReply(request, grammarCache.forRequest(), signal);
      return (await buildAnyPrompt(request, tools, signal)).tokens.length;
    },
    textCompletions: { tokens: true, suffix: false, echo: () => true },
    complete: (request, context) => generate(request, context, request),
    concurrency: sequences,
    async close() {
      await Promise.all(runningReplies);
      await context.dispose();
      await model.dispose();
    },
  };
}

function openContext(
  { model, placement, binding }: Pick<LoadedModel, 'model' | 'placement' | 'binding'>,
  options: DeviceOptions,
): Promise<LlamaContext> {
  const { contextSize, sequences } = placement;
  const { threads, flashAttention } = options;
  const cacheType = ggmlType(binding, options.cacheType);
  return model.createContext({
    contextSize,
    sequences,
    threads,
    // Not larger than needed: a batch allocates the scores of all its tokens, one megabyte each with a vocabulary of 262,144.
    batchSize: batchTokens(options, sequences),
    flashAttention,
    experimentalKvCacheKeyType: cacheType,
    experimentalKvCacheValueType: cacheType,
    // The sizes have been checked.
    ignoreMemorySafetyChecks: true,
    failedCreationRemedy: false,
    // A prompt must be resumable from any of its tokens, even if the model has a sliding window.
    swaFullCache: true,
  });
}

function chatModel(
  { id, created, owned_by }: DeviceOptions,
  { hasReasoningSwitch, takesReasoning }: ChatTemplate,
  runtime: ModelRuntime,
  canRejectTokens: boolean,
): ChatModel {
  return Object.freeze({
    id,
    created,
    owned_by,
    runtime,
    capabilities: capabilities({
      parameters: {
        frequency_penalty: 'native',
        logit_bias: 'native',
        logprobs: 'native',
        max_completion_tokens: 'native',
        max_tokens: 'native',
        min_p: 'native',
        parallel_tool_calls: 'native',
        prediction: canRejectTokens ? 'native' : 'refused',
        presence_penalty: 'native',
        prompt_cache_key: 'native',
        prompt_cache_options: 'native',
        // A hint: cached prompts are kept until their sequence is needed.
        prompt_cache_retention: 'native',
        reasoning_effort: hasReasoningSwitch ? 'native' : 'refused',
        repeat_penalty: 'native',
        response_format: 'native',
        seed: 'native',
        temperature: 'native',
        tool_choice: 'native',
        tools: 'native',
        top_k: 'native',
        top_logprobs: 'native',
        typical_p: 'native',
        top_p: 'native',
      },
      roles: ['developer', 'system', 'user', 'assistant', 'tool'],
      response_formats: ['text', 'json_object', 'json_schema'],
      tool_types: ['function', 'custom'],
      grammars: ['lark', 'regex'],
      // Tokens outside of the grammar are never sampled.
      structured_outputs: 'off',
      reasoning_content: takesReasoning,
      ...(hasReasoningSwitch && { efforts: { values: ['none', 'medium'], default: 'none' } }),
    }),
  });
}

function usage(
  prompt: number,
  cached: number,
  { tokens, hidden, prediction }: Pick<Reply, 'tokens' | 'hidden' | 'prediction'>,
): ChatEvent {
  const completion = tokens + prediction.rejected;
  return {
    type: 'usage',
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: {
        accepted_prediction_tokens: prediction.accepted,
        reasoning_tokens: hidden,
        rejected_prediction_tokens: prediction.rejected,
      },
    },
  };
}

/** The `system_fingerprint` of the API: changes with the file, llama.cpp and everything else that affects the scores. */
function computeFingerprint(model: LlamaModel, options: DeviceOptions, runtime: ModelRuntime): string {
  const { fileInfo, size, llama } = model;
  const { general, tokenizer } = fileInfo.metadata;
  const { threads, chatTemplate, batchSize, flashAttention, cacheType, promptLookup } = options;
  const modelFields = [general.architecture, general.name, general.file_type, tokenizer.chat_template, chatTemplate];
  const runtimeFields = [
    engineVersion,
    size,
    model.typeDescription,
    llama.llamaCppRelease.release,
    ...[runtime.backend, runtime.device, runtime.gpu_layers],
    ...[runtime.context_size, threads, batchSize, flashAttention, cacheType, promptLookup],
  ];
  const serialized = JSON.stringify([modelFields, runtimeFields]);
  return `fp_${createHash('sha256').update(serialized).digest('hex').slice(0, 10)}`;
}
