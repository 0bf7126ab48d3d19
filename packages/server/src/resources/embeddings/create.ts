import type { CompletionUsage, EmbeddingCreateParams, EmbeddingList, TextOrTokens } from '@modelwire/schema/types';
import type {
  EmbeddingEngine,
  EmbeddingInput,
  EmbeddingModel,
  EmbeddingReply,
  UpstreamObserver,
} from '@modelwire/ports';
import { toCount } from '@modelwire/ports';
import { reportUpstreamTo } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { unsupported, unsupportedValue } from '../../errors.ts';
import { chargeTokens } from '../../generation/generate.ts';
import { modelNotServed } from '../../generation/model-not-served.ts';
import { maxTokensOfText } from '../../limits/bound-usage.ts';
import { waitForSlot } from '../../limits/engine-queue.ts';
import type { Reply } from '../../http/reply.ts';
import type { ResolvedModel } from '../../model-registry.ts';
import type { BudgetReservation } from '../../limits/budgets.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import { reserveFromRateLimits } from '../../limits/rate-limit.ts';
import { estimateTextTokens } from '../../streaming/events.ts';
import { serializeEmbeddings } from './serialize.ts';
import { checkedVectors } from './vectors.ts';

const tokenLimitAdvice = '(the tokens of all inputs). Send fewer inputs in each request.';

/** POST /embeddings */
export async function createEmbedding(call: Call<EmbeddingCreateParams>, server: ServerContext): Promise<Reply> {
  const { input, model: id, dimensions, encoding_format = 'float', user, ...extra } = call.body;
  const resolved = server.embeddingModels.find(id);
  if (!resolved) throw modelNotServed(id, 'embeddings', server);
  const { model, engine } = resolved;
  const policy = await server.policies?.get(call.principal);
  if (policy) assertModelAllowed(policy, [id, model.id]);
  const inputs = inputsOf(input);
  assertSupported(inputs, dimensions, model);
  call.logRecord.model = model.id;
  call.logRecord.safetyIdentifier = user?.slice(0, 128);
  const estimate = (): number => inputs.reduce((sum, each) => sum + estimateTokens(each), 0);
  const reserved = await reserveFromRateLimits(
    server.options.rateLimiter,
    call,
    () => exactly(estimate()),
    tokenLimitAdvice,
  );
  let usedTokens = 0;
  let budget: BudgetReservation | undefined;
  try {
    const demand = () => ({ prompt: estimate(), maxOutput: 0, outputToAdmit: 0 });
    if (policy) budget = await server.budgets?.reserve(call, policy, model.id, demand);
    const native = model.dimensions === 'emulated' ? undefined : dimensions;
    const request = { model: model.id, inputs, dimensions: native, encoding_format, user };
    const context = {
      requestId: call.requestId,
      project: call.principal.project,
      extra,
      signal: call.client.signal,
      reportUpstream: reportUpstreamTo(call.logRecord),
    };
    const progress = { hasReachedEngine: false };
    let reply: EmbeddingReply;
    try {
      reply = await embedInQueue(server, resolved, call, async (observer) => {
        progress.hasReachedEngine = true;
        return boundReply(await engine.embed(request, { ...context, observer }), inputs);
      });
    } catch (error) {
      // The engine may have computed the embeddings that the client no longer waits for.
      if (progress.hasReachedEngine && call.client.reason !== undefined)
        usedTokens = recordUsage(call, server, model, undefined, estimate);
      throw error;
    }
    // Before the client's departure ends the request: the embeddings were computed.
    usedTokens = recordUsage(call, server, model, reply.promptTokens, estimate);
    call.client.signal.throwIfAborted();
    const vectors = checkedVectors(reply.embeddings, { count: inputs.length, dimensions, model, engine: engine.name });
    const usage = usageOf(reply);
    const head = { object: 'list', model: id, ...(usage && { usage }) } as const;
    const { data, json } = await serializeEmbeddings(head, vectors, encoding_format);
    const body: EmbeddingList = { ...head, data };
    return { status: 200, body, json };
  } finally {
    chargeTokens(server, call.principal, usedTokens - reserved);
    budget?.settle({ prompt_tokens: usedTokens, completion_tokens: 0, total_tokens: usedTokens });
  }
}

/** The reply with a count of tokens that its inputs can have. */
function boundReply(reply: EmbeddingReply, inputs: readonly EmbeddingInput[]): EmbeddingReply {
  if (reply.promptTokens === undefined) return reply;
  const max = inputs.reduce((sum, input) => {
    const tokens = typeof input === 'string' ? maxTokensOfText(input) : input.length;
    // Instructions of a model precede each input.
    return sum + tokens + maxAddedTokensPerInput;
  }, 0);
  return { ...reply, promptTokens: toCount(reply.promptTokens, max) };
}

const maxAddedTokensPerInput = 256;

const exactly = (tokens: number) => ({ required: tokens, max: tokens });

/** Calls the engine when it has a slot. */
async function embedInQueue(
  server: ServerContext,
  { engine, model }: ResolvedModel<EmbeddingEngine, EmbeddingModel>,
  call: Call<EmbeddingCreateParams>,
  run: (observer: UpstreamObserver | undefined) => Promise<EmbeddingReply>,
): Promise<EmbeddingReply> {
  const queue = server.queues.get(engine);
  const wait = waitForSlot(queue, engine.name, call.tier ?? server.options.defaultServiceTier, call);
  const queuedMs = wait ? await wait : 0;
  const observation = call.observation?.startGeneration({
    operation: 'embeddings',
    engine: engine.name,
    isRemote: engine.isRemote === true,
    model: model.id,
    project: call.principal.project,
    isStreamed: false,
    queuedMs,
  });
  let usage: CompletionUsage | undefined;
  let error: unknown;
  try {
    const reply = await run(observation);
    const { promptTokens: tokens } = reply;
    if (tokens !== undefined) usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
    return reply;
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    queue.release();
    const reason = error !== undefined && call.client.hasDisconnected ? call.client.reason : error;
    observation?.end({ usage, firstTokenAt: undefined, finishReasons: [], error: reason });
  }
}

function inputsOf(input: TextOrTokens): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  return isTokens(input) ? [input] : input;
}

const isTokens = (input: Exclude<TextOrTokens, string>): input is readonly number[] => typeof input[0] === 'number';

const estimateTokens = (input: EmbeddingInput): number =>
  typeof input === 'string' ? estimateTextTokens(input) : input.length;

/** @throws a 400 that names what the model does not support. */
function assertSupported(
  inputs: readonly EmbeddingInput[],
  dimensions: number | undefined,
  model: EmbeddingModel,
): void {
  if (model.tokens === 'refused' && typeof inputs[0] !== 'string') {
    throw unsupportedValue(
      'input',
      `Unsupported value: 'input' must be text with the model '${model.id}', not token IDs, which belong to the vocabulary of another ` +
        'model. With LangChain, set check_embedding_ctx_length to False.',
    );
  }
  if (dimensions === undefined || dimensions === model.size) return;
  if (model.dimensions === 'refused') {
    const message = `Unsupported parameter: 'dimensions' is not supported with the model '${model.id}'.`;
    throw unsupported('dimensions', message);
  }
  if (model.size !== undefined && dimensions > model.size) {
    throw unsupportedValue(
      'dimensions',
      `Unsupported value: 'dimensions' is ${dimensions}, but embeddings of the model '${model.id}' have ${model.size}.`,
    );
  }
}

/** Records the usage, estimated if the engine does not report it. Returns the tokens. */
function recordUsage(
  call: Call<EmbeddingCreateParams>,
  server: ServerContext,
  model: EmbeddingModel,
  promptTokens: number | undefined,
  estimate: () => number,
): number {
  const tokens = promptTokens ?? estimate();
  const usage: CompletionUsage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
  call.logRecord.usage = usage;
  if (promptTokens === undefined) call.logRecord.usageIsEstimated = true;
  server.meter?.count(call.principal, model.id, usage);
  return tokens;
}

const usageOf = ({ promptTokens }: EmbeddingReply) =>
  promptTokens === undefined ? undefined : { prompt_tokens: promptTokens, total_tokens: promptTokens };

/** Whether the ID names a model that does something else. */
