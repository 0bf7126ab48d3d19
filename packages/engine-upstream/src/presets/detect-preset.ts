import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { getText } from '../get-text.ts';
import type { GetText } from '../get-text.ts';
import type { UpstreamPreset } from './presets.ts';

/** The response of a server to `GET /models`, and how to send further requests. */
export interface DetectPresetOptions {
  /** With the version prefix, for instance `http://127.0.0.1:8000/v1`. */
  readonly baseURL: string;
  /** `owned_by` and `id` of each model that it lists. */
  readonly models: readonly { readonly id: string; readonly owned_by?: string | undefined }[];
  /** The header `server` of that response. */
  readonly serverHeader?: string | undefined;
  /** Headers of the requests to the server's own paths, such as its key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: `getText`. */
  readonly get?: GetText | undefined;
}

/** `owned_by` of servers that use it for their name. */
const presetOfOwner: ReadonlyMap<string, UpstreamPreset> = new Map([
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['llamacpp', 'llama.cpp'],
  ['organization_owner', 'lmstudio'],
  ['library', 'ollama'],
]);

/** Servers of these owners accept every parameter. */
const ownersWithAllParameters: ReadonlySet<string> = new Set(['modelwire', 'openai', 'openai-internal', 'system']);

const hostedDomains: readonly string[] = [
  'groq.com',
  'together.xyz',
  'openrouter.ai',
  'mistral.ai',
  'deepseek.com',
  'fireworks.ai',
  'perplexity.ai',
  'cerebras.ai',
  'sambanova.ai',
  'deepinfra.com',
  'x.ai',
];

const probeTimeoutMs = 1_500;
const maxProbeBytes = 64 * 1024;

/**
 * Detects the kind of server by the owner of its models, its headers, its address if it is a known hosted service, and two paths that only
 * Ollama and Text Generation Inference have. Undefined for an unknown server. Does not use the port.
 */
export async function detectPreset(options: DetectPresetOptions): Promise<UpstreamPreset | undefined> {
  const { baseURL, models, serverHeader } = options;
  const owners = models.flatMap(({ owned_by }) => (owned_by === undefined ? [] : [owned_by]));
  for (const owner of owners) {
    const preset = presetOfOwner.get(owner);
    if (preset !== undefined) return preset;
  }
  if (serverHeader?.startsWith('llama.cpp') === true) return 'llama.cpp';
  const { hostname } = new URL(baseURL);
  if (hostedDomains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))) return 'hosted';
  if (owners.some((owner) => ownersWithAllParameters.has(owner))) return undefined;
  const [version, info] = await Promise.all([probe('/api/version', options), probe('/info', options)]);
  if (typeof version['version'] === 'string') return 'ollama';
  const { model_id } = info;
  return typeof model_id === 'string' && models.some(({ id }) => id === model_id) ? 'tgi' : undefined;
}

/** The JSON object at a path without the version prefix. Empty if there is none. */
async function probe(
  path: string,
  { baseURL, headers, get = getText }: DetectPresetOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const serverURL = baseURL.replace(/\/+$/, '').replace(/\/v\d+$/, '');
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const value = parseJson((await get(`${serverURL}${path}`, { headers, signal, maxBytes: maxProbeBytes })).text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
