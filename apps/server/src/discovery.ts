import { createCircuitBreakers, createUpstream } from '@modelwire/engine-upstream';
import type {
  CircuitBreakers,
  ModelCatalog,
  UpstreamEngine,
  UpstreamModel,
  UpstreamServer,
} from '@modelwire/engine-upstream';
import type { CapabilitiesInit } from '@modelwire/server';
import * as z from 'zod';

const modelList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1), owned_by: z.string().min(1).optional().catch(undefined) })),
});

/** A larger response is not a list of models. */
const maxListBytes = 4 * 1024 * 1024;

export interface Discovery extends Omit<UpstreamEngine, 'circuits'> {
  /** Whether every upstream has returned its models at least once. */
  readonly ready: boolean;
  /** The models of all upstreams, whatever they are for. */
  readonly catalog: ModelCatalog;
}

export interface DiscoveryOptions {
  readonly upstreams: readonly DiscoveredUpstream[];
  /** Keeps the state of the upstreams when their models change. */
  readonly circuitBreaker?: CircuitBreakers;
  /** Interval between requests for the models of the upstreams. */
  readonly intervalMs: number;
  readonly fetch?: typeof fetch;
  /** Called when the models of an upstream cannot be read. */
  readonly warn: (upstream: string, reason: string) => void;
}

export interface DiscoveredUpstream extends UpstreamServer {
  readonly name: string;
  /** Capabilities of its models. A capability that is not set is unrestricted. */
  readonly capabilities?: CapabilitiesInit | undefined;
}

/**
 * Creates an engine with the models that the upstreams list at `/models`, refreshed every `intervalMs`. If an upstream does not respond, its
 * last known models remain. A model that several upstreams list is load-balanced among them.
 *
 * @throws TypeError for invalid upstreams, before any request.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const { upstreams, circuitBreaker = createCircuitBreakers(), intervalMs, fetch: fetchModels = fetch, warn } = options;
  const servers = upstreams.map(({ capabilities, ...server }) => server);
  // Created only to validate the options at startup rather than at the first request.
  await createUpstream({ upstreams: servers, models: { checked: {} } }).close?.();

  const listed = new Map<string, ReadonlyMap<string, string | undefined>>();
  let current: { readonly key: string; readonly engine: UpstreamEngine | undefined } = { key: '', engine: undefined };
  const none: [] = [];

  async function refresh(): Promise<void> {
    await Promise.all(
      upstreams.map(async (upstream) => {
        try {
          listed.set(upstream.name, await listModels(upstream, fetchModels));
        } catch (error) {
          warn(upstream.name, error instanceof Error ? error.message : 'unknown error');
        }
      }),
    );
    const models = groupByModel(upstreams, listed);
    const key = JSON.stringify(models);
    if (key === current.key) return;
    const previous = current.engine;
    current = {
      key,
      engine:
        Object.keys(models).length === 0 ? undefined : createUpstream({ upstreams: servers, models, circuitBreaker }),
    };
    // close() waits for running requests: they finish on the engine that they started with.
    previous?.close?.().catch(() => undefined);
  }
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => warn('all', error instanceof Error ? error.message : 'unknown error'));
  }, intervalMs);
  timer.unref();

  const engine = (): UpstreamEngine => {
    if (!current.engine) throw new Error('no upstream has returned its models yet');
    return current.engine;
  };
  const catalog: ModelCatalog = {
    find: (model) =>
      upstreams.filter(({ name }) => listed.get(name)?.has(model)).map(({ name }) => ({ upstream: name, model })),
    get isComplete() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    hasRenamedModels: false,
    otherModels: () => none,
  };
  return {
    name: 'upstream',
    catalog,
    get ready() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    get modelsKnown() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    models: () => current.engine?.models() ?? none,
    embed: (request, context) => engine().embed(request, context),
    generate: (request, context) => engine().generate(request, context),
    relay: (request, context) => {
      const target = engine();
      if (!target.relay) throw new Error('the upstream engine cannot relay');
      return target.relay(request, context);
    },
    async close() {
      clearInterval(timer);
      await current.engine?.close?.();
    },
  };
}

async function listModels(
  { baseURL, apiKey, headers }: UpstreamServer,
  fetchModels: typeof fetch,
): Promise<Map<string, string | undefined>> {
  const response = await fetchModels(`${baseURL.replace(/\/+$/, '')}/models`, {
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    // Do not send the key to a server that this one redirects to.
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`GET /models returned status ${response.status}`);
  const parsed = modelList.safeParse(JSON.parse(await readLimitedText(response)));
  if (!parsed.success) throw new Error('GET /models did not return a list of models');
  return new Map(parsed.data.data.map(({ id, owned_by }) => [id, owned_by]));
}

async function readLimitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxListBytes) throw new Error(`GET /models returned more than ${maxListBytes} bytes`);
  }
  return text;
}

/** Sorted by id, so that a different order of the upstream's list does not count as a change. */
function groupByModel(
  upstreams: readonly DiscoveredUpstream[],
  listed: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>,
): Record<string, UpstreamModel> {
  const models = new Map<string, UpstreamModel & { readonly upstreams: string[] }>();
  for (const { name, capabilities } of upstreams) {
    for (const [id, owner] of listed.get(name) ?? []) {
      const existing = models.get(id);
      if (existing) existing.upstreams.push(name);
      else models.set(id, { upstreams: [name], owned_by: owner ?? name, ...(capabilities && { capabilities }) });
    }
  }
  return Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1)));
}
