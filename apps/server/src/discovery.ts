import { createUpstream } from '@modelwire/engine-upstream';
import type { UpstreamModel, UpstreamServer } from '@modelwire/engine-upstream';
import type { ChatEngine } from '@modelwire/server';
import * as z from 'zod';

const modelList = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1), owned_by: z.string().optional() })),
});

export interface Discovery extends ChatEngine {
  /** Whether every upstream has answered once. */
  readonly ready: boolean;
}

export interface DiscoveryOptions {
  readonly upstreams: readonly (UpstreamServer & { readonly name: string })[];
  readonly everyMs: number;
  readonly fetch?: typeof fetch;
  /** Told when an upstream could not be asked. */
  readonly warn: (upstream: string, why: string) => void;
}

/**
 * An engine whose models are those that the upstreams list at `/models`, asked now and then. An upstream that cannot be
 * asked keeps what it had; a model that several list is shared among them.
 */
export async function discover({ upstreams, everyMs, fetch: ask = fetch, warn }: DiscoveryOptions): Promise<Discovery> {
  const listed = new Map<string, ReadonlyMap<string, string | undefined>>();
  let current: { readonly key: string; readonly engine: ChatEngine | undefined } = { key: '', engine: undefined };
  const none: [] = [];

  async function refresh(): Promise<void> {
    await Promise.all(
      upstreams.map(async (upstream) => {
        try {
          listed.set(upstream.name, await modelsOf(upstream, ask));
        } catch (error) {
          warn(upstream.name, error instanceof Error ? error.message : String(error));
        }
      }),
    );
    const models = byModel(listed);
    const key = JSON.stringify(models);
    if (key === current.key) return;
    const before = current.engine;
    current = { key, engine: Object.keys(models).length === 0 ? undefined : createUpstream({ upstreams, models }) };
    // Requests that run keep the engine they began with; its connections close when they are done.
    await before?.close?.();
  }
  await refresh();
  const timer = setInterval(() => void refresh(), everyMs);
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
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`GET /models answered ${response.status}`);
  const parsed = modelList.safeParse(await response.json());
  if (!parsed.success) throw new Error('GET /models did not answer a list of models');
  return new Map(parsed.data.data.map(({ id, owned_by }) => [id, owned_by]));
}

function byModel(listed: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>): Record<string, UpstreamModel> {
  const models = new Map<string, { upstreams: string[]; owned_by: string }>();
  for (const [upstream, ids] of listed) {
    for (const [id, owner] of ids) {
      const known = models.get(id);
      if (known) known.upstreams.push(upstream);
      else models.set(id, { upstreams: [upstream], owned_by: owner ?? upstream });
    }
  }
  return Object.fromEntries(models);
}
