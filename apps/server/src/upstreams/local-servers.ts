import { detectPreset, getText, modelKind } from '@modelwire/engine-upstream/internal';
import type { UpstreamPreset } from '@modelwire/engine-upstream';
import type { GetText } from '@modelwire/engine-upstream/internal';
import { parseJson } from '@modelwire/adapter-kit';
import { parseModelList } from './model-list.ts';
import type { ListedModel } from './model-list.ts';
import { maxListBytes, serverHeaderOf } from './request-models.ts';
import type { Settings } from '../config/settings.ts';

/** A model server that was found on this machine. */
export interface LocalServer {
  /** Display name, detected from the responses of the server; undefined if it is unknown. */
  readonly product: string | undefined;
  /** With the version prefix. */
  readonly baseURL: string;
  /** IDs of its chat models. */
  readonly models: readonly string[];
  /** It refused a request without a key: its models are unknown. */
  readonly needsKey: boolean;
}

/** Where Ollama, LM Studio, llama.cpp and vLLM listen by default. */
const defaultURLs = [11_434, 1234, 8080, 8000].map((port) => `http://127.0.0.1:${port}/v1`);
const timeoutMs = 1000;

const products: Partial<Readonly<Record<UpstreamPreset, string>>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  sglang: 'SGLang',
  tgi: 'Text Generation Inference',
};

/** Whether to look for servers at startup: by default only if no models are configured. */
export function looksForLocalServers({
  localServers,
  upstreams,
  models,
  gguf,
  providers,
  simulator,
}: Settings): boolean {
  if (localServers === false) return false;
  return [upstreams, models, gguf, providers, simulator].every((setting) => setting === undefined);
}

/** Asks all addresses at the same time for their models, and returns the model servers among them after a second at most. */
export async function findLocalServers({
  localServers,
}: Pick<Settings, 'localServers'>): Promise<readonly LocalServer[]> {
  const urls = typeof localServers === 'object' ? localServers : defaultURLs;
  const found = await Promise.all(urls.map((url) => probeServer(url.replace(/\/+$/, '')).catch(() => undefined)));
  return found.filter((server) => server !== undefined);
}

/** @throws for a reply that is not a list of models, or does not arrive in time. */
async function probeServer(baseURL: string): Promise<LocalServer | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const get: GetText = (url, init) => getText(url, { ...init, signal });
  const { status, headers, text } = await getText(`${baseURL}/models`, { signal, maxBytes: maxListBytes });
  const serverHeader = serverHeaderOf(headers);
  const detectProduct = async (models: readonly ListedModel[]): Promise<string | undefined> => {
    const preset = await detectPreset({ baseURL, models, serverHeader, get });
    return preset && products[preset];
  };
  if (status === 401) {
    // Anything may refuse requests without a key: only a known server is named.
    const product = await detectProduct([]);
    return product === undefined ? undefined : { product, baseURL, models: [], needsKey: true };
  }
  if (status < 200 || status >= 300) return undefined;
  const listed = [...parseModelList(parseJson(text)).models.values()];
  const product = await detectProduct(listed);
  // Anything may answer with an empty list: only a known server without models is named.
  if (product === undefined && listed.length === 0) return undefined;
  const models = listed.filter((model) => modelKind(model) === 'chat').map(({ id }) => id);
  return { product, baseURL, models, needsKey: false };
}

/** The settings with the servers as upstreams. Those that need a key, or have no model for chat, are left out. */
export function withLocalServers(settings: Settings, servers: readonly LocalServer[]): Settings {
  const usable = servers.filter(({ models }) => models.length > 0);
  if (usable.length === 0) return settings;
  return { ...settings, upstreams: usable.map(({ baseURL }) => ({ baseURL })) };
}

/**
 * What to print about the servers that were found: `used`, where `--auto` uses them; `wanted`, where it found none that it can use; `offered`
 * otherwise: each with the line that uses it. `start` is the command that started this server.
 */
export function localServersMessage(
  servers: readonly LocalServer[],
  mode: 'used' | 'wanted' | 'offered',
  start: string,
): string {
  if (servers.length === 0) return mode === 'wanted' ? '\n  No model server was found on this machine.\n' : '';
  const blocks = servers.map((server) => {
    const { baseURL, models, needsKey } = server;
    if (mode === 'used' && models.length > 0) return `  Uses ${describeLocalServer(server)}\n`;
    const key = needsKey ? 'MODELWIRE_UPSTREAM_API_KEY=<key> ' : '';
    return `  Found ${describeLocalServer(server)}. To use it:\n    MODELWIRE_UPSTREAM_URL=${baseURL} ${key}${start}\n`;
  });
  const isOffered = mode === 'offered' && servers.some(({ models }) => models.length > 0);
  return `\n${blocks.join('')}${isOffered ? `  To use what is found at each start:\n    ${withFlag(start, '--auto')}\n` : ''}`;
}

/** The product, its address and its chat models. */
export function describeLocalServer({ product = 'a model server', baseURL, models, needsKey }: LocalServer): string {
  return `${product} at ${baseURL}, ${needsKey ? 'which requires an API key' : modelsOf(models)}`;
}

function modelsOf(models: readonly string[]): string {
  if (models.length === 0) return 'without a chat model';
  const names = models.slice(0, 3).join(', ') + (models.length > 3 ? ', …' : '');
  return `${models.length} chat ${models.length === 1 ? 'model' : 'models'}: ${names}`;
}

/** npm passes flags on after `--`. */
const withFlag = (start: string, flag: string): string =>
  start.startsWith('npm ') ? `${start} -- ${flag}` : `${start} ${flag}`;
