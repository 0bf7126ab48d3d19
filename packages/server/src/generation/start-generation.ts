import type { GenerationObservation, TokenDemand } from '@modelwire/ports';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../ids.ts';
import { nowInSeconds } from '../clock.ts';
import { resolveServiceTier, waitForSlot } from '../limits/engine-queue.ts';
import type { EngineQueue, ResolvedServiceTier } from '../limits/engine-queue.ts';
import type { BudgetReservation } from '../limits/budgets.ts';
import { assertModelAllowed, withOutputLimit } from '../limits/policies.ts';
import { reserveFromRateLimits } from '../limits/rate-limit.ts';
import { promptTokens, UsageTracker } from '../streaming/events.ts';
import type { PromptTokens } from '../streaming/events.ts';
import { checkModeratedImages, moderateInput } from '../streaming/transforms/moderation.ts';
import { assertSpeechSupported, assertSupported, withoutProviderMetadata } from './assert-supported.ts';
import { chargeTokens } from './generate.ts';
import type { Generation } from './generate.ts';
import { boundGenerationUsage } from './bound-generation-usage.ts';
import { loadInputs } from './inputs.ts';
import { modelNotServed } from './model-not-served.ts';
import { emulatedFormatCheck, hasInputs, normalise } from './plan.ts';
import type { GenerationPlan } from './plan.ts';
import { withWebSearch } from './search.ts';

/** Output tokens to reserve for each choice of a request without an output limit, if the key has that many left. */
const defaultOutputTokensPerChoice = 4096;
/** Output tokens per choice that must be left to admit such a request. A low number, so that a small limit admits several requests in a row. */
const minOutputTokensPerChoice = 256;
const tooLargeHint =
  "(the prompt and the output limit of each choice). Shorten the messages or lower 'max_completion_tokens'.";

interface GenerationOptions {
  readonly operation?: 'chat' | 'text_completion';
  /** The output limit of a request that sets none, unless the policy has a lower one. Default: no limit. */
  readonly defaultOutputTokens?: number;
  /** Whether the engine may read more than the request contains, such as the results of tools that it runs itself. Default false. */
  readonly readsBeyondBody?: boolean;
}

/**
 * Admits a chat request to its engine: checks it against the model, loads its inputs, reserves tokens, moderates the input, searches, and
 * waits for a slot. The caller runs the generation and calls `endGeneration` when it has ended.
 *
 * @throws a 404 for an unknown model, a 400 for unsupported parameters, a 429 or 503 where a limit is reached.
 */
export async function startGeneration(
  call: Call<ChatCompletionCreateParams>,
  server: ServerContext,
  { operation = 'chat', defaultOutputTokens, readsBeyondBody = false }: GenerationOptions = {},
): Promise<Generation> {
  const resolvedModel = server.models.find(call.body.model);
  if (!resolvedModel) throw modelNotServed(call.body.model, 'chat', server);
  const policyResult = server.policies?.get(call.principal);
  const policy = policyResult instanceof Promise ? await policyResult : policyResult;
  if (policy) assertModelAllowed(policy, [call.body.model, resolvedModel.model.id]);
  if (call.body.store) await server.storageQuota?.assertHasSpace(call.principal);
  const limitedBody = withOutputLimit(call.body, policy?.maxOutputTokens, defaultOutputTokens);
  // The engine receives its own ID of the model. The response contains the name in the request, which can be an alias.
  const engineBody =
    call.body.model === resolvedModel.model.id ? limitedBody : { ...limitedBody, model: resolvedModel.model.id };
  const requestBody = withoutProviderMetadata(engineBody, resolvedModel.model);
  assertSupported(requestBody, resolvedModel.model);
  if (server.options.moderate) checkModeratedImages(requestBody, server);
  assertSpeechSupported(requestBody, resolvedModel.model, server.options.speech);
  call.logRecord.model = requestBody.model;
  call.logRecord.safetyIdentifier = (requestBody.safety_identifier ?? requestBody.user)?.slice(0, 128);
  // Memory of the inputs, released together with the engine's slot.
  let reservedBytes = 0;
  const reserveMemory = (bytes: number): void => {
    server.bodyMemory.acquire(bytes);
    reservedBytes += bytes;
  };
  let plan: GenerationPlan;
  let forwardedBody = requestBody;
  let tier: ResolvedServiceTier;
  let queue: EngineQueue;
  let usageTracker: UsageTracker;
  let reservedTokens = 0;
  let budgetReservation: BudgetReservation | undefined;
  let observation: GenerationObservation | undefined;
  let hasSlot = false;
  try {
    if (hasInputs(requestBody))
      forwardedBody = await loadInputs({
        call: { ...call, body: requestBody },
        server,
        model: resolvedModel.model,
        reserveMemory,
      });
    const formatCheck = forwardedBody.response_format
      ? await emulatedFormatCheck(forwardedBody, resolvedModel.model)
      : undefined;
    plan = normalise(forwardedBody, resolvedModel.model, formatCheck);
    const getPromptTokens = promptTokens(plan.request, resolvedModel.engine);
    usageTracker = new UsageTracker(getPromptTokens, (usage, counted) =>
      boundGenerationUsage(usage, { plan, forwardedBody, getPromptTokens, counted, readsBeyondBody }),
    );
    const reservation = reserveFromRateLimits(
      server.options.rateLimiter,
      call,
      () => tokenDemandOf(call.body, getPromptTokens),
      tooLargeHint,
    );
    reservedTokens = typeof reservation === 'number' ? reservation : await reservation;
    const estimate = () => estimateTokens(limitedBody, getPromptTokens);
    if (policy && policy.budgetSubjects.length > 0)
      budgetReservation = await server.budgets?.reserve(call, policy, resolvedModel.model.id, estimate);
    if (server.options.moderate) await moderateInput(call, forwardedBody.messages, server, reserveMemory);
    if (plan.emulation.search) plan = await withWebSearch(plan, plan.emulation.search, call, server);
    queue = server.queues.get(resolvedModel.engine);
    tier = call.tier ?? resolveServiceTier(plan.request.service_tier, server.options.defaultServiceTier);
    const queueTime = waitForSlot(queue, resolvedModel.engine.name, tier, call);
    const queuedMs = queueTime ? await queueTime : 0;
    hasSlot = true;
    observation = call.observation?.startGeneration({
      operation,
      engine: resolvedModel.engine.name,
      isRemote: resolvedModel.engine.isRemote === true,
      model: resolvedModel.model.id,
      project: call.principal.project,
      isStreamed: requestBody.stream === true,
      queuedMs,
      request: plan.request,
    });
  } catch (error) {
    if (hasSlot) server.queues.get(resolvedModel.engine).release();
    chargeTokens(server, call.principal, -reservedTokens);
    budgetReservation?.settle(undefined);
    server.bodyMemory.release(reservedBytes);
    throw error;
  }
  return {
    observation,
    call,
    server,
    resolvedModel,
    forwardedBody,
    plan,
    metadata: { id: randomId('chatcmpl-'), created: nowInSeconds(), model: call.body.model, service_tier: tier },
    reservedTokens,
    budgetReservation,
    usageTracker,
    queue,
    inputBytes: reservedBytes,
  };
}

/**
 * The tokens that a request may use: its prompt, and its output limit for each choice. Without an output limit, that is 4,096 for each
 * choice, or all that the key has left if that is at least 256 for each choice or the whole limit.
 */
function tokenDemandOf(requestBody: ChatCompletionCreateParams, getPromptTokens: () => PromptTokens): TokenDemand {
  const { prompt: tokens, requiredOutput, maxOutput, outputToAdmit } = estimateTokens(requestBody, getPromptTokens);
  return { required: tokens + requiredOutput, max: tokens + maxOutput, minToAdmit: tokens + outputToAdmit };
}

/** The number of tokens of the prompt, and of the output of all choices. */
function estimateTokens(
  { n, max_completion_tokens, max_tokens }: ChatCompletionCreateParams,
  getPromptTokens: () => PromptTokens,
) {
  const choices = n ?? 1;
  const limit = max_completion_tokens ?? max_tokens ?? undefined;
  return {
    prompt: getPromptTokens().tokens,
    requiredOutput: choices * (limit ?? 1),
    maxOutput: choices * (limit ?? defaultOutputTokensPerChoice),
    outputToAdmit: choices * (limit ?? minOutputTokensPerChoice),
  };
}
