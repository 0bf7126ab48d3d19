import { quoteAll } from './errors.ts';
import { createByteBudget } from './limits/byte-budget.ts';
import { createActiveRequests, createInFlightRequests } from './limits/active-requests.ts';
import { bodyTimeoutsOf } from './limits/body-timeouts.ts';
import { createLineSlots } from './limits/line-slots.ts';
import { createEngineQueues, createTieredQueue } from './limits/tiered-queue.ts';
import type { TieredQueue } from './limits/tiered-queue.ts';
import { createAliasResolver } from './models/model-aliases.ts';
import { createModelRegistry, withoutUnavailableCapabilities } from './models/model-registry.ts';
import { modelKinds } from './models/registries.ts';
import type { ModelRegistries } from './models/registries.ts';
import { createOpenStreams } from './event-streams/open-streams.ts';
import { createRunningJobs } from './jobs/running-jobs.ts';
import { createTranscriptStore } from './media/audio/transcripts.ts';
import { createCors } from './http/cors.ts';
import { createChecksumQueue } from './resources/uploads/md5.ts';
import { memoryRateLimiter } from './limits/memory-rate-limiter.ts';
import { memorySessionStore } from './sessions/memory-session-store.ts';
import { createSessions, noSessions } from './sessions/sessions.ts';
import { createRecentErrors, noRecentErrors } from './limits/recent-errors.ts';
import { createRequestLogWriter, noRequestLogWriter } from './limits/request-log-writer.ts';
import { createUsageMeter, noUsageMeter } from './limits/usage-meter.ts';
import { createBudgetEvents } from './limits/budget-events.ts';
import { createBudgets, noBudgets } from './limits/budgets.ts';
import { createPolicies, noPolicies } from './limits/policies.ts';
import { createStorageQuota, noStorageQuota } from './limits/storage-quota.ts';
import { createPrices, noPrices } from './limits/prices.ts';
import type { Prices } from './limits/prices.ts';
import { createSemaphore } from '@modelwire/adapter-kit';
import { createGrammarCache } from '@modelwire/grammar';
import { PrefillMemory } from './models/prefill.ts';
import type { ServerContext } from './context.ts';
import type { ResolvedServerOptions } from './options/options.ts';
import type {
  ChatEngine,
  ChatModel,
  EmbeddingEngine,
  EmbeddingModel,
  ModerationEngine,
  ModerationEngineModel,
  VideoEngine,
  VideoModel,
} from '@modelwire/ports';

/** Maximum number of images that are fetched at once for all requests. A single request fetches its images one after the other. */
const maxImageFetches = 32;

/** Maximum number of datasets that are written at once. */
const maxConcurrentDatasets = 4;

export function createServerContext(
  options: ResolvedServerOptions,
  callbacks: Pick<ServerContext, 'internalDispatches' | 'wakeWorker'>,
): ServerContext {
  const { engines, engineConcurrency, maxQueuedRequests: maxWaiting, queueTimeoutMs: waitMs } = options;
  const queues = new Map<ChatEngine | EmbeddingEngine | ModerationEngine, TieredQueue>();
  // An engine of several kinds has one queue.
  for (const engine of new Set([...engines, ...options.embeddingEngines, ...options.moderationEngines])) {
    const limits = { concurrency: engine.concurrency ?? engineConcurrency, maxWaiting, waitMs };
    const queue = options.createEngineQueue?.({ name: engine.name, index: queues.size }, limits);
    queues.set(engine, queue ?? createTieredQueue(limits));
  }
  const models = modelsOf(options);
  const { chat, embedding, moderation } = models.models;
  function findWithQueue(name: string) {
    for (const registry of [chat, embedding, moderation]) {
      const found = registry.find(name);
      const queue = found && queues.get(found.engine);
      if (queue) return { id: found.model.id, queue };
    }
    return undefined;
  }
  const prices = options.prices ? createPrices(options.prices) : noPrices;
  return {
    ...callbacks,
    options,
    clock: options.clock,
    createId: options.createId,
    prices,
    ...recordsOf(options, prices, callbacks.wakeWorker),
    ...models,
    lineSlots: createLineSlots({ concurrency: options.batchConcurrency, find: findWithQueue, clock: options.clock }),
    grammars: createGrammarCache(),
    prefills: new PrefillMemory(),
    runningJobs: createRunningJobs(),
    openStreams: createOpenStreams(),
    transcripts: createTranscriptStore(options),
    queues: createEngineQueues(queues),
    checksumQueue: createChecksumQueue(waitMs),
    inFlight: createInFlightRequests(),
    activeRequests: createActiveRequests(),
    bodyMemory: createByteBudget(options.maxBufferedBytes),
    responseMemory: createByteBudget(options.maxBufferedBytes),
    imageFetchQueue: createTieredQueue({ concurrency: maxImageFetches, maxWaiting, waitMs }),
    bodyTimeouts: bodyTimeoutsOf(options),
    cors: options.cors && createCors(options.cors),
    formSemaphore: createSemaphore(options.maxConcurrentUploads),
    datasetSemaphore: createSemaphore(maxConcurrentDatasets),
    sessions: options.console
      ? createSessions({
          store: options.stores?.sessions ?? memorySessionStore(options.clock),
          authenticator: options.authenticator,
          identityProvider: options.identityProvider,
          keys: options.stores?.keys,
          clock: options.clock,
          createId: options.createId,
        })
      : noSessions,
    signInLimiter: options.rateLimiter ?? memoryRateLimiter({ clock: options.clock }),
    recentErrors: options.console ? createRecentErrors() : noRecentErrors,
  };
}

type Records = Pick<ServerContext, 'policies' | 'storageQuota' | 'budgets' | 'meter' | 'requestLog'>;

/** What is read from the stores and recorded there; nothing without stores. */
function recordsOf(options: ResolvedServerOptions, prices: Prices, wakeWorker: () => void): Records {
  const { stores, report, observer, webhooks, clock, createId } = options;
  if (!stores) {
    return {
      policies: noPolicies,
      storageQuota: noStorageQuota,
      budgets: noBudgets,
      meter: noUsageMeter,
      requestLog: noRequestLogWriter,
    };
  }
  const policies = createPolicies({ stores, clock });
  return {
    policies,
    storageQuota: createStorageQuota({ keys: stores.keys, policies }),
    budgets: createBudgets({
      store: stores.budgets,
      prices,
      report,
      observer,
      createId,
      events: webhooks && createBudgetEvents({ ...stores, onPublished: wakeWorker, report, clock, createId }),
    }),
    meter: createUsageMeter({ stores, countsMinutes: options.console !== undefined, clock, report }),
    requestLog:
      stores.requestLog && options.requestLogRetentionDays !== undefined
        ? createRequestLogWriter({ store: stores.requestLog, currency: prices.currency, report })
        : noRequestLogWriter,
  };
}

type Models = Pick<ServerContext, 'models' | 'modelAliases'>;

/** @throws TypeError when an alias, the default model or the moderation model of chat names a model that no engine serves. */
function modelsOf(options: ResolvedServerOptions): Models {
  const { engines, embeddingEngines, moderationEngines, videoEngines, modelAliases, moderate, defaultModel } = options;
  const isListed = (id: string) => modelKinds.some((kind) => models[kind].findListed(id) !== undefined);
  const isForwarded = (id: string) => options.passThrough?.models().some((model) => model.id === id) === true;
  const aliases = createAliasResolver(modelAliases, (id) => isListed(id) || isForwarded(id));
  const models: ModelRegistries = {
    chat: createModelRegistry<ChatModel, ChatEngine>({
      engines,
      aliases,
      adapt: (model) => withoutUnavailableCapabilities(model, options),
    }),
    embedding: createModelRegistry<EmbeddingModel, EmbeddingEngine>({
      engines: embeddingEngines,
      aliases,
      isServed: ({ id }) => models.chat.findListed(id)?.model.dialect === undefined,
      // An upstream with a list of models in its configuration serves all of them for both.
      isDedicated: ({ id }) => /embed/i.test(id) || !models.chat.findListed(id),
    }),
    moderation: createModelRegistry<ModerationEngineModel, ModerationEngine>({ engines: moderationEngines, aliases }),
    video: createModelRegistry<VideoModel, VideoEngine>({ engines: videoEngines, aliases }),
  };
  // Without it, every request would fail.
  if (moderate?.model !== undefined && models.moderation.find(moderate.model)?.model.id !== moderate.model) {
    throw new TypeError(`moderate.model: no engine has the moderation model '${moderate.model}'`);
  }
  // Engines that request their models from other servers may not know them yet.
  if (engines.some(({ hasLoadedModels }) => hasLoadedModels === false)) return { models, modelAliases: aliases };
  const servedModels = () => quoteAll(modelKinds.flatMap((kind) => models[kind].all().map(({ id }) => id)));
  for (const alias of modelAliases.keys()) {
    const target = aliases.follow(alias) ?? '';
    if (modelKinds.some((kind) => models[kind].find(target)?.model.id === target)) continue;
    throw new TypeError(
      `modelAliases: '${alias}' names the model '${target}', which no engine serves. Served models: ${servedModels()}.`,
    );
  }
  if (defaultModel !== undefined && !models.chat.find(defaultModel)) {
    throw new TypeError(
      `defaultModel: no engine serves the chat model '${defaultModel}'. Served models: ${servedModels()}.`,
    );
  }
  return { models, modelAliases: aliases };
}
