import { createLlama, LlamaSetupError } from '@modelwire/engine-llama';
import type { LlamaEngineOptions } from '@modelwire/engine-llama';
import { createSimulator } from '@modelwire/engine-simulator';
import { createUpstream } from '@modelwire/engine-upstream';
import type { ChatEngine } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import { discover } from './discovery.ts';
import type { DiscoveredUpstream } from './discovery.ts';
import { splitModels } from './model-names.ts';
import type { ModelNames } from './model-names.ts';
import type { Settings } from './settings.ts';

export interface ChatEngines {
  readonly engines: readonly ChatEngine[];
  /** Whether the models of all upstreams are known. */
  readonly ready: () => boolean;
}

/** Creates the configured chat engines. Where ids collide the first engine wins: upstreams, then GGUF models, then the simulator. */
export async function createChatEngines(
  settings: Settings,
  warn: (upstream: string, reason: string) => void,
): Promise<ChatEngines> {
  const { simulator = true } = settings;
  const models = splitModels(settings).upstreamModels;
  const upstreams = settings.upstreams?.map((upstream, index) => ({
    ...upstream,
    name: upstream.name ?? `upstream-${index + 1}`,
  }));
  const engines: ChatEngine[] = [];
  let ready = () => true;
  try {
    if (upstreams && models) engines.push(createConfiguredUpstream(upstreams, models));
    else if (upstreams) {
      const discovery = await discover({ upstreams, intervalMs: 60_000, warn });
      engines.push(discovery);
      ready = () => discovery.ready;
    } else if (models) throw new ConfigError('models: no upstreams are configured to serve them');
    for (const entry of ggufEntries(settings.gguf)) engines.push(await createLlama(entry));
    if (simulator !== false) {
      const simulatorEngine = createSimulator(simulator === true ? {} : simulator);
      // Load the tokenizer now instead of at the first request.
      await simulatorEngine.ready();
      engines.push(simulatorEngine);
    }
  } catch (error) {
    // Engines throw TypeError for invalid options: these messages are addressed to the operator.
    if (error instanceof LlamaSetupError) throw new ConfigError(`gguf: ${error.message}`);
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
  if (engines.length === 0)
    throw new ConfigError('No models to serve: simulator is false, and neither upstreams nor gguf is set.');
  return { engines, ready };
}

function ggufEntries(gguf: Settings['gguf'] = []): readonly LlamaEngineOptions[] {
  return typeof gguf === 'string' ? [{ path: gguf }] : gguf;
}

/** Creates an engine for the models listed in the configuration. A model without capabilities inherits those of its first upstream. */
function createConfiguredUpstream(
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
