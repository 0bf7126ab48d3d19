import { allCapabilities, capabilities } from '@modelwire/ports';
import type { ChatCapabilities, ChatEngine, ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import { generate } from './generation/generate.ts';
import { createRuntime } from './generation/runtime.ts';
import type { Runtime } from './generation/runtime.ts';
import { allEfforts, resolveOptions } from './options.ts';
import type { SimulatorModel, SimulatorOptions } from './options.ts';

/** The simulator, and a way to load its tokenizer before the first request. */
export interface Simulator extends ChatEngine {
  /** Resolves when the tokenizer is loaded (about 0.2 s). Otherwise the first request loads it. */
  ready(): Promise<void>;
}

/**
 * A chat engine without a language model: replies come from templates that fit the prompt, each token drawn from a distribution
 * over o200k tokens. Deterministic for a `seed`. Throws a TypeError for invalid options.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const resolved = resolveOptions(options);
  const models = resolved.models.map((model) =>
    Object.freeze({ id: model.id, created: 1_767_225_600, owned_by: 'modelwire', capabilities: capabilitiesOf(model) }),
  );
  let loading: Promise<Runtime> | undefined;
  let loaded: Runtime | undefined;
  const ready = (): Promise<Runtime> => (loading ??= createRuntime(resolved).then((runtime) => (loaded = runtime)));

  function reply(request: ChatRequest, context: EngineContext): ChatEvents {
    if (loaded) return generate(request, context, loaded);
    return (async function* () {
      const events = generate(request, context, await ready());
      if (Symbol.asyncIterator in events) yield* events;
      else yield events;
    })();
  }

  return {
    name: 'simulator',
    models: () => models,
    async ready() {
      await ready();
    },
    countPromptTokens: (request) => loaded?.counter.countNow(request),
    textCompletions: { tokens: false, suffix: false },
    // The prompt is the user's message: there is no language model that could continue it.
    complete: reply,
    generate: reply,
  };
}

/** What the server does for the simulator. */
const emulated = {
  audio: 'emulated',
  modalities: 'emulated',
  n: 'emulated',
  function_call: 'emulated',
  functions: 'emulated',
  safety_identifier: 'emulated',
  service_tier: 'emulated',
  user: 'emulated',
  web_search_options: 'emulated',
} as const;
/** What a fixed reply supports. */
const fixed = {
  logprobs: 'native',
  top_logprobs: 'native',
  max_completion_tokens: 'native',
  max_tokens: 'native',
  seed: 'native',
  stop: 'native',
  temperature: 'native',
  top_p: 'native',
} as const;

function capabilitiesOf({ reply, efforts = allEfforts }: SimulatorModel): ChatCapabilities {
  const inputs = ['text', 'image', 'audio'] as const;
  if (reply !== undefined) return capabilities({ parameters: fixed, inputs });
  const roles = ['developer', 'system', 'user', 'assistant', 'tool'] as const;
  return allCapabilities({
    ...{ parameters: emulated, inputs, roles, modalities: ['text'], efforts },
    // Its replies are generated from the grammars.
    structured_outputs: 'off',
  });
}
