import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../ids.ts';
import { usedTier, waitForSlot } from '../limits/engine-queue.ts';
import type { UsedTier } from '../limits/engine-queue.ts';
import type { BudgetReservation } from '../limits/budgets.ts';
import { assertModelAllowed, withOutputLimit } from '../limits/policies.ts';
import { reserveFromLimits } from '../limits/rate-limit.ts';
import { nowInSeconds } from '../clock.ts';
import { promptTokens } from '../streaming/prompt-tokens.ts';
import type { PromptTokens } from '../streaming/prompt-tokens.ts';
import { checkModeratedImages, moderateInput } from '../streaming/transforms/moderation.ts';
import { UsageTracker } from '../streaming/usage-tracker.ts';
import { assertSpeechSupported, assertSupported } from './assert-supported.ts';
import { chargeTokens } from './generate.ts';
import type { Generation } from './generation.ts';
import { hasInputs, withInputs } from './inputs.ts';
import { emulatedFormatCheck, normalise, withoutProviderMetadata } from './normalise.ts';
import type { GenerationPlan } from './normalise.ts';
import { withWebSearch } from './search.ts';

/** Output tokens to reserve for each choice of a request without an output limit, if that many are left. */
const defaultOutputTokens = 4096;
/** Output tokens that must be left for each choice of such a request to be admitted: few, so that a small limit admits several requests in a row. */
const minOutputTokens = 256;
const tooLargeHint =
  "(the prompt and the output limit of each choice). Shorten the messages or lower 'max_completion_tokens'.";

/**
 * Admits a chat request to its engine: checks it against the model, loads its inputs, reserves tokens, moderates the input, searches, and
 * waits for a slot. The caller runs the generation, records its usage and calls `release` when it has ended.
 *
 * @throws a 404 for an unknown model, a 400 for what the model cannot do, a 429 or 503 where a limit is reached.
 */
export async function startGeneration(
  call: Call<ChatCompletionCreateParams>,
  server: ServerContext,
  operation: 'chat' | 'text_completion' = 'chat',
): Promise<Generation> {
  const resolvedModel = server.models.find(call.body.model);
  if (!resolvedModel) throw server.models.notFoundError(call.body.model);
  const found = server.policies?.of(call.principal);
  const policy = found instanceof Promise ? await found : found;
  if (policy) assertModelAllowed(policy, [call.body.model, resolvedModel.model.id]);
  if (call.body.store) await server.storageQuota?.assertAllowsMore(call.principal);
  const limited = policy ? withOutputLimit(call.body, policy) : call.body;
  // Engines know their models by their own IDs; the response names the model that the request named.
  const renamed = call.body.model === resolvedModel.model.id ? limited : { ...limited, model: resolvedModel.model.id };
  const requestBody = withoutProviderMetadata(renamed, resolvedModel.model);
  assertSupported(requestBody, resolvedModel.model);
  if (server.options.moderate) checkModeratedImages(requestBody, server);
  assertSpeechSupported(requestBody, resolvedModel.model, server.options.speech);
  call.logRecord.model = requestBody.model;
  call.logRecord.safetyIdentifier = (requestBody.safety_identifier ?? requestBody.user)?.slice(0, 128);
  // Memory of the inputs, released together with the slot at the engine.
  let reservedBytes = 0;
  const reserveMemory = (bytes: number): void => {
    server.bodies.acquire(bytes);
    reservedBytes += bytes;
  };
  const queue = server.queues.of(resolvedModel.engine);
  let plan: GenerationPlan;
  let forwardedBody = requestBody;
  let tier: UsedTier;
  let prompt: () => PromptTokens;
  let reserved = 0;
  let budget: BudgetReservation | undefined;
  let queuedMs = 0;
  try {
    if (hasInputs(requestBody))
      forwardedBody = await withInputs({
        call: { ...call, body: requestBody },
        server,
        model: resolvedModel.model,
        reserveMemory,
      });
    const formatCheck = forwardedBody.response_format
      ? await emulatedFormatCheck(forwardedBody, resolvedModel.model)
      : undefined;
    plan = normalise(forwardedBody, resolvedModel.model, formatCheck);
    prompt = promptTokens(plan.request, resolvedModel.engine);
    const reservation = reserveTokens(call, server, prompt);
    reserved = typeof reservation === 'number' ? reservation : await reservation;
    const estimate = () => estimateTokens(limited, prompt);
    if (policy && policy.budgeted.length > 0)
      budget = await server.budgets?.reserve(call, policy, resolvedModel.model.id, estimate);
    if (server.options.moderate) await moderateInput(call, forwardedBody.messages, server, reserveMemory);
    if (plan.emulation.search) plan = await withWebSearch(plan, plan.emulation.search, call, server);
    tier = call.tier ?? usedTier(plan.request.service_tier, server.options.defaultServiceTier);
    const wait = waitForSlot(queue, resolvedModel.engine.name, tier, call);
    if (wait) queuedMs = await wait;
  } catch (error) {
    chargeTokens(server, call.principal, -reserved);
    budget?.settle(undefined);
    server.bodies.release(reservedBytes);
    throw error;
  }
  const { engine, model } = resolvedModel;
  return {
    observation: call.observation?.startGeneration({
      operation,
      engine: engine.name,
      isRemote: engine.isRemote === true,
      model: model.id,
      project: call.principal.project,
      isStreamed: requestBody.stream === true,
      queuedMs,
      request: plan.request,
    }),
    call,
    server,
    resolvedModel,
    forwardedBody,
    plan,
    metadata: { id: randomId('chatcmpl-'), created: nowInSeconds(), model: call.body.model, service_tier: tier },
    reserved,
    budget,
    usageTracker: new UsageTracker(prompt),
    release() {
      queue.release();
      server.bodies.release(reservedBytes);
    },
  };
}

/**
 * Reserves the tokens that a request may use: its prompt, and its output limit for each choice. Without an output limit those are 4,096 for
 * each choice, or what the key has left, if that is at least 256 for each choice or all of its limit. Resolves to the number reserved.
 *
 * @throws a 429 when the key has fewer tokens left, or a lower limit.
 */
function reserveTokens(
  call: Pick<Call<ChatCompletionCreateParams>, 'body' | 'principal' | 'responseHeaders'>,
  server: ServerContext,
  prompt: () => PromptTokens,
): number | Promise<number> {
  const demand = () => {
    const { prompt: tokens, requiredOutput, maxOutput, outputToAdmit } = estimateTokens(call.body, prompt);
    return { required: tokens + requiredOutput, max: tokens + maxOutput, minToAdmit: tokens + outputToAdmit };
  };
  return reserveFromLimits(server.options.rateLimiter, call, demand, tooLargeHint);
}

/** The tokens of the prompt, and of the output of all choices. */
function estimateTokens(
  { n, max_completion_tokens, max_tokens }: ChatCompletionCreateParams,
  prompt: () => PromptTokens,
) {
  const choices = n ?? 1;
  const limit = max_completion_tokens ?? max_tokens ?? undefined;
  return {
    prompt: prompt().tokens,
    requiredOutput: choices * (limit ?? 1),
    maxOutput: choices * (limit ?? defaultOutputTokens),
    outputToAdmit: choices * (limit ?? minOutputTokens),
  };
}
