import { createLlama, LlamaSetupError } from '@modelwire/engine-llama';
import type { LlamaEngineOptions } from '@modelwire/engine-llama';
import { createSimulator } from '@modelwire/engine-simulator';
import { createUpstream } from '@modelwire/engine-upstream';
import type { ChatEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import { discover } from './discovery.ts';
import type { DiscoveredUpstream } from './discovery.ts';
import { modelNamesOf } from './model-names.ts';
import type { ModelNames } from './model-names.ts';
import type { Settings } from './settings.ts';

export interface Engines {
  readonly engines: readonly ChatEngine[];
  /** Whether all that was to be found has been found. */
  readonly ready: () => boolean;
}

/** The engines that the settings name: upstreams first, then models of this process, so that an id of theirs wins over the simulator's. */
export async function enginesOf(settings: Settings, warn: (upstream: string, why: string) => void): Promise<Engines> {
  const { simulator = true } = settings;
  const models = modelNamesOf(settings).upstreamModels;
  const upstreams = settings.upstreams?.map((upstream, index) => ({
    ...upstream,
    name: upstream.name ?? `upstream-${index + 1}`,
  }));
  const engines: ChatEngine[] = [];
  let ready = () => true;
  try {
    if (upstreams && models) engines.push(mapped(upstreams, models));
    else if (upstreams) {
      const found = await discover({ upstreams, everyMs: 60_000, warn });
      engines.push(found);
      ready = () => found.ready;
    } else if (models) throw new ConfigError('models: there are no upstreams that could serve them');
    for (const entry of ggufEntries(settings.gguf)) engines.push(await createLlama(entry));
    if (simulator !== false) {
      const simulated = createSimulator(simulator === true ? {} : simulator);
      // Its tokenizer takes a moment to load: better now than at the first request.
      await simulated.ready();
      engines.push(simulated);
    }
  } catch (error) {
    // What an engine says of its options is meant for whoever wrote them.
    if (error instanceof LlamaSetupError) throw new ConfigError(`gguf: ${error.message}`);
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
  if (engines.length === 0)
    throw new ConfigError('nothing to serve: the simulator is off, and there are no upstreams and no gguf');
  return { engines, ready };
}

function ggufEntries(gguf: Settings['gguf'] = []): readonly LlamaEngineOptions[] {
  return typeof gguf === 'string' ? [{ path: gguf }] : gguf;
}

/** The models that the settings list. One without capabilities of its own has those of its first upstream. */
function mapped(
  upstreams: readonly DiscoveredUpstream[],
  models: NonNullable<ModelNames['upstreamModels']>,
): ChatEngine {
  const withCapabilities = Object.entries(models).map(([id, model]) => {
    const first = model.upstreams?.[0] ?? upstreams.find(({ name }) => !model.fallback?.includes(name))?.name;
    const capabilities = model.capabilities ?? upstreams.find(({ name }) => name === first)?.capabilities;
    return [id, { ...model, ...(capabilities && { capabilities }) }] as const;
  });
  return createUpstream({
    upstreams: upstreams.map(({ capabilities, ...server }) => server),
    models: Object.fromEntries(withCapabilities),
  });
}
