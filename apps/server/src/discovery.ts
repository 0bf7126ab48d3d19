import { createUpstream } from '@modelwire/engine-upstream';
import type { UpstreamModel, UpstreamServer } from '@modelwire/engine-upstream';
import type { CapabilitiesInit, ChatEngine } from '@modelwire/server';
import * as z from 'zod';

const modelList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1), owned_by: z.string().min(1).optional().catch(undefined) })),
});

/** A list of models is small; what is not is no list of models. */
const maxListBytes = 4 * 1024 * 1024;

export interface Discovery extends ChatEngine {
  /** Whether every upstream has answered once. */
  readonly ready: boolean;
}

export interface DiscoveryOptions {
  readonly upstreams: readonly DiscoveredUpstream[];
  readonly everyMs: number;
  readonly fetch?: typeof fetch;
  /** Told when an upstream could not be asked. */
  readonly warn: (upstream: string, why: string) => void;
}

export interface DiscoveredUpstream extends UpstreamServer {
  readonly name: string;
  /** What its models can do, where that differs from everything. */
  readonly capabilities?: CapabilitiesInit | undefined;
}

/**
 * An engine whose models are those that the upstreams list at `/models`, asked now and then. An upstream that cannot be
 * asked keeps what it had; a model that several list is shared among them.
 *
 * @throws TypeError for upstreams that make no sense, before any is asked.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const { upstreams, everyMs, fetch: ask = fetch, warn } = options;
  const servers = upstreams.map(({ capabilities, ...server }) => server);
  // Made for its checks alone: a wrong setting is told at the start, not at the first answer.
  await createUpstream({ upstreams: servers, models: { checked: {} } }).close?.();

  const listed = new Map<string, ReadonlyMap<string, string | undefined>>();
  let current: { readonly key: string; readonly engine: ChatEngine | undefined } = { key: '', engine: undefined };
  const none: [] = [];

  async function refresh(): Promise<void> {
    await Promise.all(
      upstreams.map(async (upstream) => {
        try {
          listed.set(upstream.name, await modelsOf(upstream, ask));
        } catch (error) {
          warn(upstream.name, error instanceof Error ? error.message : 'it could not be asked');
        }
      }),
    );
    const models = byModel(upstreams, listed);
    const key = JSON.stringify(models);
    if (key === current.key) return;
    const before = current.engine;
    current = {
      key,
      engine: Object.keys(models).length === 0 ? undefined : createUpstream({ upstreams: servers, models }),
    };
    // It waits for the requests that run: they keep the engine they began with.
    before?.close?.().catch(() => undefined);
  }
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((error: unknown) =>
      warn('all', error instanceof Error ? error.message : 'the models could not be read'),
    );
  }, everyMs);
  timer.unref();

  const engine = (): ChatEngine => {
    if (!current.engine) throw new Error('no upstream has listed a model');
    return current.engine;
  };
  return {
    name: 'upstream',
    get ready() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    get modelsKnown() {
      return upstreams.every(({ name }) => listed.has(name));
    },
    models: () => current.engine?.models() ?? none,
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

async function modelsOf(
  { baseURL, apiKey, headers }: UpstreamServer,
  ask: typeof fetch,
): Promise<Map<string, string | undefined>> {
  const response = await ask(`${baseURL.replace(/\/+$/, '')}/models`, {
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    // Keys are for this server, not for one that it points at.
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`GET /models answered ${response.status}`);
  const parsed = modelList.safeParse(JSON.parse(await boundedText(response)));
  if (!parsed.success) throw new Error('GET /models did not answer a list of models');
  return new Map(parsed.data.data.map(({ id, owned_by }) => [id, owned_by]));
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > maxListBytes) throw new Error('GET /models answered more than a list of models');
  }
  return text;
}

/** In an order of its own: a list that only turned round is no other list. */
function byModel(
  upstreams: readonly DiscoveredUpstream[],
  listed: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>,
): Record<string, UpstreamModel> {
  const models = new Map<string, UpstreamModel & { readonly upstreams: string[] }>();
  for (const { name, capabilities } of upstreams) {
    for (const [id, owner] of listed.get(name) ?? []) {
      const known = models.get(id);
      if (known) known.upstreams.push(name);
      else models.set(id, { upstreams: [name], owned_by: owner ?? name, ...(capabilities && { capabilities }) });
    }
  }
  return Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1)));
}
