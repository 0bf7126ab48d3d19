import { allCapabilities, capabilities } from '@modelwire/ports';
import { intersectCapabilities } from '@modelwire/ports/internal';
import type { CapabilitiesInit, ChatCapabilities } from '@modelwire/ports';

export const presetNames = ['vllm', 'sglang', 'tgi', 'ollama', 'llama.cpp', 'lmstudio', 'hosted'] as const;

/** A kind of server with known capabilities. */
export type UpstreamPreset = (typeof presetNames)[number];

const sampling = {
  frequency_penalty: 'native',
  presence_penalty: 'native',
  temperature: 'native',
  top_p: 'native',
} as const;
const logprobs = { logprobs: 'native', top_logprobs: 'native' } as const;
const functions = { tools: 'native', tool_choice: 'emulated' } as const;
/** Parameters of vLLM and SGLang. */
const serving = {
  ...sampling,
  ...logprobs,
  ...functions,
  min_p: 'native',
  top_k: 'native',
  logit_bias: 'native',
  seed: 'native',
  n: 'native',
  stop: 'native',
  max_completion_tokens: 'native',
  max_tokens: 'native',
  response_format: 'native',
  reasoning_effort: 'native',
} as const;
/** Parameters of open models that llama.cpp knows; vLLM and SGLang call the penalty `repetition_penalty` and have no `typical_p`. */
const openModelSampling = { min_p: 'native', repeat_penalty: 'native', top_k: 'native', typical_p: 'native' } as const;
const formats = ['text', 'json_object', 'json_schema'] as const;
const roles = ['system', 'user', 'assistant', 'tool'] as const;
const allRoles = ['developer', ...roles] as const;
const functionCalls = { tool_types: ['function'], tool_choices: ['none', 'required', 'function'] } as const;

/**
 * Capabilities of servers, from their sources, documentation and tests. Parameters that a server silently ignores are emulated or refused.
 * Models that support less than their server declare it in `capabilities`.
 */
const presets = {
  /**
   * vLLM, `entrypoints/openai/chat_completion/protocol.py` of 2026: `tool_choice` is none, auto, required or a function, tools
   * are functions; unknown fields are dropped. `parallel_tool_calls` since 0.11.1 (#26233). It continues an assistant message at the
   * end with `continue_final_message`.
   */
  vllm: {
    structured_outputs: 'native',
    assistant_prefill: true,
    reasoning_content: true,
    parameters: { ...serving, parallel_tool_calls: 'native' },
    roles: allRoles,
    inputs: ['text', 'image', 'audio'],
    response_formats: formats,
    ...functionCalls,
  },
  /**
   * Ollama 0.40, `openai/openai.go` and docs/api/openai-compatibility: no `tool_choice` (#17921), `n`, `logit_bias` or
   * `max_completion_tokens` in its request, all dropped; of a JSON Schema format it reads the schema alone. It continues
   * an assistant message at the end.
   * Images are data URLs. Run as built from its source of August 2026 with SmolLM2 135M Instruct: `n` and
   * `max_completion_tokens` were dropped, and any tools are a 400 for a model whose template has none.
   */
  ollama: {
    structured_outputs: 'native',
    assistant_prefill: true,
    parameters: {
      ...{ ...sampling, ...logprobs, ...functions, seed: 'native', stop: 'native', max_tokens: 'native' },
      ...{ response_format: 'native', reasoning_effort: 'native' },
    },
    roles,
    inputs: ['text', 'image'],
    image_sources: ['data'],
    response_formats: formats,
    tool_types: ['function'],
  },
  /**
   * llama.cpp, run as b11434 (`llama-server --jinja -np 2`, SmolLM2 135M Instruct and a tiny model of our own, CPU) and read
   * (`tools/server/server-common.cpp`, `server-schema.cpp`, `common/chat.cpp`). `required` and a named `tool_choice` both gave
   * plain text, with a chat template that knows tools and with one that does not, so such a call is requested as JSON in a
   * schema, which is enforced; `none` is obeyed. `n` goes up to `-np`, then a 400, and usage counts one choice. A pattern with lookahead and `not` were not enforced. An assistant message at the end is continued. `reasoning_effort` goes to the chat
   * template, which may not read it. The role developer becomes system, which gpt-oss keeps. Images and sound need `--mmproj`:
   * without, a 500. Tools are functions; others are a 500 (#22389).
   */
  'llama.cpp': {
    structured_outputs: 'native',
    assistant_prefill: true,
    reasoning_content: true,
    parameters: {
      ...{ ...sampling, ...logprobs, ...functions, logit_bias: 'native', seed: 'native', stop: 'native' },
      ...{ max_completion_tokens: 'native', max_tokens: 'native', response_format: 'native' },
      ...openModelSampling,
    },
    roles: allRoles,
    inputs: ['text', 'image', 'audio'],
    response_formats: formats,
    ...functionCalls,
  },
  /**
   * SGLang, `entrypoints/openai/protocol.py` of 2026: `tool_choice` is none, auto, required or a function, tools are functions;
   * unknown fields are dropped. Parts with audio have another form than the API's. It continues an assistant message at the end with
   * `continue_final_message`.
   */
  sglang: {
    structured_outputs: 'native',
    assistant_prefill: true,
    reasoning_content: true,
    parameters: { ...serving, parallel_tool_calls: 'emulated' },
    roles: allRoles,
    inputs: ['text', 'image'],
    response_formats: formats,
    ...functionCalls,
  },
  /**
   * Text Generation Inference 3, `router/src/lib.rs`: `n` and `logit_bias` are marked as unused, `presence_penalty` sets another
   * penalty, and `max_completion_tokens` is not known.
   */
  tgi: {
    structured_outputs: 'native',
    parameters: {
      ...{ temperature: 'native', top_p: 'native', frequency_penalty: 'native', seed: 'native', stop: 'native' },
      ...{ ...logprobs, ...functions, max_tokens: 'native', response_format: 'native' },
    },
    roles,
    inputs: ['text', 'image'],
    response_formats: ['text', 'json_schema'],
    ...functionCalls,
  },
  /**
   * LM Studio, its documentation of 2026: it lists the parameters below and no others. `json_object` is refused there, schemas are
   * enforced by llama.cpp's grammars, or by outlines for MLX models. Images are data URLs.
   */
  lmstudio: {
    structured_outputs: 'native',
    parameters: {
      ...{ ...sampling, ...functions, logit_bias: 'native', seed: 'native', stop: 'native', max_tokens: 'native' },
      ...{ response_format: 'native', top_k: 'native', repeat_penalty: 'native' },
    },
    roles,
    inputs: ['text', 'image'],
    image_sources: ['data'],
    response_formats: ['text', 'json_schema'],
    tool_types: ['function'],
  },
  /** The common subset of hosted services; `capabilities` can add more. */
  hosted: {
    parameters: {
      temperature: 'native',
      top_p: 'native',
      ...functions,
      stop: 'native',
      max_tokens: 'native',
      response_format: 'native',
      prompt_cache_key: 'native',
      prompt_cache_retention: 'native',
    },
    roles,
    inputs: ['text', 'image'],
    response_formats: ['text', 'json_object'],
    ...functionCalls,
  },
} as const satisfies Record<UpstreamPreset, CapabilitiesInit>;

/** Presets whose servers can report usage in every chunk: `stream_options.continuous_usage_stats` of vLLM. */
const withContinuousUsage: ReadonlySet<UpstreamPreset> = new Set(['vllm']);

export function hasContinuousUsage(preset: UpstreamPreset | undefined): boolean {
  return preset !== undefined && withContinuousUsage.has(preset);
}

/**
 * Presets whose servers return the prompt of a legacy completion with its log probabilities. llama.cpp b11434 ignores `echo`: its log
 * probabilities would be those of the reply alone.
 */
const withPromptLogprobs: ReadonlySet<UpstreamPreset> = new Set(['vllm']);

export function hasPromptLogprobs(preset: UpstreamPreset | undefined): boolean {
  return preset === undefined || withPromptLogprobs.has(preset);
}

/** Presets whose servers continue the last message only with `continue_final_message`. */
const withContinueFinalMessage: ReadonlySet<UpstreamPreset> = new Set(['vllm', 'sglang']);

export function needsContinueFinalMessage(preset: UpstreamPreset | undefined): boolean {
  return preset !== undefined && withContinueFinalMessage.has(preset);
}

/** Presets whose servers only support text parts in assistant messages: they reject or drop a part `refusal`. */
const withoutRefusalParts: ReadonlySet<UpstreamPreset> = new Set(['llama.cpp', 'ollama', 'lmstudio', 'sglang', 'tgi']);

export function hasRefusalParts(preset: UpstreamPreset | undefined): boolean {
  return preset === undefined || !withoutRefusalParts.has(preset);
}

/** Presets whose servers ignore a `tool_choice` that requires a call, and enforce a JSON Schema. */
const withSchemaForToolCalls: ReadonlySet<UpstreamPreset> = new Set(['llama.cpp']);

export function forcesToolCallsBySchema(preset: UpstreamPreset | undefined): boolean {
  return preset !== undefined && withSchemaForToolCalls.has(preset);
}

/** What the capabilities of a server follow from. */
interface CapableServer {
  readonly preset?: UpstreamPreset | undefined;
  readonly structuredOutputs?: ChatCapabilities['structured_outputs'] | undefined;
}

/** The common capabilities of these servers. Without a preset, a server supports everything. */
export function commonCapabilities(
  servers: readonly CapableServer[],
  overrides: CapabilitiesInit | undefined,
): ChatCapabilities {
  const [first, ...others] = servers.map(({ preset, structuredOutputs }) => {
    const own = structuredOutputs && { structured_outputs: structuredOutputs };
    return preset === undefined ? allCapabilities(own) : capabilities({ ...presets[preset], ...own });
  });
  const common = others.reduce(intersectCapabilities, first ?? allCapabilities());
  if (!overrides) return common;
  const parameters = { ...common.parameters, ...overrides.parameters };
  return capabilities({ ...common, ...overrides, parameters });
}
