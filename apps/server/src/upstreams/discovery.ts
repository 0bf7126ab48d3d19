import { createCircuitBreakers, createUpstream } from '@modelwire/engine-upstream';
import { credentialHeaders, detectPreset, getText } from '@modelwire/engine-upstream/internal';
import type {
  CircuitBreakers,
  ModelCatalog,
  UpstreamEngine,
  UpstreamOptions,
  UpstreamPreset,
  UpstreamServer,
} from '@modelwire/engine-upstream';
import type { GetText } from '@modelwire/engine-upstream/internal';
import type { CapabilitiesInit, ChatEngine, ChatModel, EmbeddingEngine, UnaskedUpstream } from '@modelwire/ports';
import { parseJson } from '@modelwire/adapter-kit';
import { groupModels } from './group-models.ts';
import type { GroupedModels } from './group-models.ts';
import { parseModelList } from './model-list.ts';
import type { ListedModel, ModelList, SkippedEntry } from './model-list.ts';
import { requestModels, serverHeaderOf } from './request-models.ts';
import { pollUpstreams } from './upstream-poll.ts';
import { causeOf, upstreamProblem, UpstreamProblem } from './upstream-problem.ts';
import type { UpstreamStatuses } from './upstream-status.ts';

export interface Discovery extends ChatEngine {
  /** Serves embeddings of the models that are not known to be for something else. */
  readonly embeddings: EmbeddingEngine;
  /** Whether an upstream has returned its models at least once. */
  readonly ready: boolean;
  /** The models of all upstreams, of every kind. */
  readonly catalog: ModelCatalog;
  /** Requests the models of all upstreams again, unless that was done in the last seconds. */
  refresh(): Promise<void>;
}

export interface DiscoveryOptions {
  readonly upstreams: readonly DiscoveredUpstream[];
  /** Keeps the state of the upstreams when their models change. */
  readonly circuitBreaker?: CircuitBreakers;
  /** Milliseconds between requests for the models of the upstreams. Default 60,000. */
  readonly intervalMs?: number;
  /** Milliseconds until they are requested again when an upstream did not return them. Default 5000. */
  readonly retryMs?: number;
  /** Milliseconds for which `refresh` uses the last result. Default 5000. */
  readonly freshMs?: number;
  readonly get?: GetText;
  /** Records and logs which upstreams returned their models. */
  readonly statuses: UpstreamStatuses;
  /** Called when the kind of an upstream without a preset has been recognised. */
  readonly onPreset?: (upstream: string, preset: UpstreamPreset) => void;
  /** Called whenever the list of an upstream has entries that name no model. */
  readonly onSkipped?: (upstream: string, skipped: readonly SkippedEntry[]) => void;
  /** See the options of `createUpstream`. */
  readonly onUnknownFinishReason?: UpstreamOptions['onUnknownFinishReason'];
  readonly routing?: UpstreamOptions['routing'];
}

export interface DiscoveredUpstream extends UpstreamServer {
  readonly name: string;
  /** Capabilities of its models. A capability that is not set is unrestricted. */
  readonly capabilities?: CapabilitiesInit | undefined;
}

interface Current {
  readonly key: string;
  readonly engine: UpstreamEngine | undefined;
  readonly chatModels: readonly ChatModel[];
  readonly grouped: GroupedModels;
}

/**
 * Creates an engine with the models that the upstreams list at `/models`, refreshed every `intervalMs`. If an upstream does not respond, its
 * last known models remain. While an upstream has never responded, the 404 for unknown models names it. A model that several upstreams list is load-balanced among them, if it is of the same kind and dialect there; the
 * first of them says which. Only models for chat are models of the engine.
 *
 * @throws TypeError for invalid upstreams, before any request.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const { upstreams, circuitBreaker = createCircuitBreakers(), get = getText, statuses } = options;
  const { onUnknownFinishReason, routing } = options;
  const { intervalMs = 60_000, retryMs = 5000, freshMs = 5000 } = options;
  const configured = upstreams.map(({ capabilities, ...server }) => server);
  // Created only to validate the options at startup rather than at the first request.
  const checked = { upstreams: configured.slice(0, 1).map(({ name }) => name) };
  await createUpstream({ upstreams: configured, models: { checked } }).close?.();

  const listed = new Map<string, ReadonlyMap<string, ListedModel>>();
  const presets = new Map<string, UpstreamPreset | undefined>();
  let current: Current = { key: '', engine: undefined, chatModels: [], grouped: groupModels([], listed) };
  const none: [] = [];

  async function listAll(): Promise<boolean> {
    await Promise.all(
      upstreams.map(async (upstream) => {
        const startedAt = performance.now();
        try {
          const { models, skipped, serverHeader } = await listModels(upstream, get);
          const latencyMs = performance.now() - startedAt;
          if (!presets.has(upstream.name)) {
            const isKnown = upstream.preset !== undefined || upstream.dialect !== undefined;
            const preset = isKnown ? upstream.preset : await detect(upstream, models, serverHeader);
            presets.set(upstream.name, preset);
            if (preset !== undefined && upstream.preset === undefined) options.onPreset?.(upstream.name, preset);
          }
          listed.set(upstream.name, models);
          if (skipped.length > 0) options.onSkipped?.(upstream.name, skipped);
          statuses.succeeded(upstream.name, latencyMs);
        } catch (error) {
          statuses.failed(upstream.name, upstreamProblem(error));
        }
      }),
    );
    const isComplete = upstreams.every(({ name }) => statuses.problem(name) === undefined);
    const grouped = groupModels(upstreams, listed);
    const servers = configured.map((server) => {
      const preset = server.preset ?? presets.get(server.name);
      return { ...server, ...(preset && { preset }) };
    });
    const key = JSON.stringify([grouped, servers.map(({ preset }) => preset)]);
    if (key === current.key) {
      current = { ...current, grouped };
      return isComplete;
    }
    const previous = current.engine;
    const { models, kinds } = grouped;
    const engine =
      Object.keys(models).length === 0
        ? undefined
        : createUpstream({
            upstreams: servers,
            models,
            circuitBreaker,
            ...(onUnknownFinishReason && { onUnknownFinishReason }),
            ...(routing && { routing }),
          });
    const chatModels = engine?.models().filter(({ id }) => kinds[id] === 'chat') ?? [];
    current = { key, engine, chatModels, grouped };
    // close() waits for running requests: they finish on the engine that they started with.
    previous?.close?.().catch(() => undefined);
    return isComplete;
  }
  const detect = (
    { baseURL, apiKey, headers }: DiscoveredUpstream,
    models: ReadonlyMap<string, ListedModel>,
    serverHeader: string | undefined,
  ): Promise<UpstreamPreset | undefined> =>
    detectPreset({
      baseURL,
      models: [...models.values()],
      serverHeader,
      headers: { ...credentialHeaders({ apiKey }), ...headers },
      get,
    });
  const poll = pollUpstreams(listAll, { intervalMs, retryMs, freshMs });
  await poll.refresh();

  const engine = (): UpstreamEngine => {
    if (!current.engine) throw new Error('no upstream has returned its models yet');
    return current.engine;
  };
  const catalog: ModelCatalog = {
    find: (model) => current.grouped.upstreamsByModel.get(model)?.map((upstream) => ({ upstream, model })) ?? none,
    hasRenamedModels: false,
    otherModels: () => current.grouped.otherModels,
  };
  const unaskedUpstreams = (): readonly UnaskedUpstream[] =>
    upstreams.flatMap(({ name }) => {
      const problem = listed.has(name) ? undefined : statuses.problem(name);
      return problem ? [{ name, cause: causeOf(problem) }] : [];
    });
  const embeddings: EmbeddingEngine & Pick<ChatEngine, 'unaskedUpstreams'> = {
    name: 'upstream',
    isRemote: true,
    models: () => current.engine?.models() ?? none,
    embed: (request, context) => engine().embed(request, context),
    batchProviders: (model) => engine().batchProviders(model),
    unaskedUpstreams,
  };
  return {
    name: 'upstream',
    isRemote: true,
    catalog,
    embeddings,
    get ready() {
      return listed.size > 0;
    },
    refresh: () => poll.refresh(),
    get hasLoadedModels() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    models: () => current.chatModels,
    unaskedUpstreams,
    textCompletions: {
      tokens: true,
      suffix: true,
      echo: (modelId) => engine().textCompletions.echo?.(modelId) === true,
    },
    complete: (request, context) => engine().complete(request, context),
    respond: (body, context) => engine().respond(body, context),
    createMessage: (request, context) => engine().createMessage(request, context),
    countMessageTokens: (request, context) => engine().countMessageTokens(request, context),
    batchProviders: (model) => engine().batchProviders(model),
    generate: (request, context) => engine().generate(request, context),
    relay: (request, context) => {
      const target = engine();
      if (!target.relay) throw new Error('the upstream engine cannot relay');
      return target.relay(request, context);
    },
    async close() {
      poll.stop();
      await current.engine?.close?.();
    },
  };
}

async function listModels(
  upstream: UpstreamServer,
  get: GetText,
): Promise<ModelList & { readonly serverHeader: string | undefined }> {
  const { status, headers, text } = await requestModels(upstream, get);
  if (status < 200 || status >= 300) throw new UpstreamProblem('failing', `status ${status}`);
  return { ...parseModelList(parseJson(text)), serverHeader: serverHeaderOf(headers) };
}
