import { ApiError, ConnectionError, DecodeError, TimeoutError } from '@modelwire/client';
import type { Settings } from '../config/settings.ts';
import type { Client } from '../connection.ts';
import { nearest } from '@modelwire/schema/internal/nearest';
import { oneLine } from '../output/controls.ts';
import { failed, ok, skipped, warning } from './check.ts';
import type { Check } from './check.ts';

export interface ServerChecks {
  readonly checks: readonly Check[];
  /** Whether the server responds as an OpenAI-compatible server and accepts the key. */
  readonly isUsable: boolean;
  readonly models: readonly string[];
}

/** Checks that the server is OpenAI-compatible, accepts the key, and has models. */
export async function checkServer(settings: Settings, { models }: Client, signal: AbortSignal): Promise<ServerChecks> {
  const { baseURL } = settings;
  try {
    const { data } = await models.list({ signal, maxRetries: 0 });
    // A boolean: the check itself would turn the list into one of any.
    const isList: boolean = Array.isArray(data);
    if (!isList) throw new TypeError('The response is not a list.');
    const ids = data.map(({ id }) => id);
    const modelNames = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ` and ${ids.length - 5} more` : '');
    const modelCheck =
      ids.length === 0
        ? warning('models', 'The server lists no models.', 'Check that its upstream servers are running.')
        : ok('models', modelNames);
    return {
      checks: [ok('server', `${baseURL.value} responds and accepts the key.`), modelCheck],
      isUsable: true,
      models: ids,
    };
  } catch (error) {
    return { checks: [await diagnose(error, settings, signal)], isUsable: false, models: [] };
  }
}

async function diagnose(error: unknown, { baseURL, key }: Settings, signal: AbortSignal): Promise<Check> {
  const name = 'server';
  const isWrongPath = error instanceof ApiError && (error.status === 404 || error.status === 405);
  if (isWrongPath || error instanceof DecodeError || error instanceof TypeError) {
    return diagnosePath(baseURL.value, key?.value, signal);
  }
  if (error instanceof ApiError) {
    const { status, message } = error;
    if (status === 401) {
      return key === undefined
        ? failed(
            'API key',
            'The server requires an API key, but none is set.',
            'Set MODELWIRE_API_KEY, or store a key: modelwire config set api-key',
          )
        : failed('API key', `The server rejects the key (${key.source}): ${message}`, keyFix(key.source));
    }
    if (status === 403) {
      return failed('API key', `The key is not allowed to list models: ${message}`, 'Use a key with another role.');
    }
    if (status === 429) {
      return warning(name, `The rate limit is exceeded: ${message}`, 'Wait, or request a higher limit.');
    }
    return failed(
      name,
      `The server responds with status ${status}: ${message}`,
      status >= 500 ? 'Check the log of the server.' : 'Check the base URL.',
    );
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return connectionCheck(error, baseURL.value);
  }
  return failed(name, error instanceof Error ? error.message : String(error), 'Check the base URL.');
}

function keyFix(source: string): string {
  const fix = 'Store another key: modelwire config set api-key';
  return source === 'MODELWIRE_API_KEY' ? `${fix}, and unset MODELWIRE_API_KEY, which overrides it.` : fix;
}

/** A server that does not respond as expected: most often the version prefix is missing, or there twice. */
async function diagnosePath(baseURL: string, key: string | undefined, signal: AbortSignal): Promise<Check> {
  const url = new URL(baseURL);
  const path = url.pathname.replace(/\/+$/, '');
  const candidates = [
    `${path}/v1`,
    path.replace(/\/v1\/v1$/, '/v1'),
    path.replace(/\/v\d+$/, ''),
    '/v1',
    '/api/v1',
    '/openai/v1',
  ];
  for (const candidate of new Set(candidates)) {
    if (candidate === path) continue;
    const candidateURL = url.origin + candidate;
    if (await isCompatible(candidateURL, key, signal)) {
      return failed(
        'server',
        `${baseURL} is not the base URL of the API, but ${candidateURL} is.`,
        `Run modelwire config set base-url ${candidateURL}`,
      );
    }
  }
  return failed(
    'server',
    `${baseURL} is not the base URL of an OpenAI-compatible API.`,
    'Check the documentation of the server. Most base URLs end in /v1.',
  );
}

async function isCompatible(baseURL: string, key: string | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    // The key is sent only to the origin that it was already sent to.
    const headers = new Headers(key === undefined ? [] : [['authorization', `Bearer ${key}`]]);
    const response = await fetch(`${baseURL}/models`, { headers, signal, redirect: 'manual' });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) return false;
    return response.ok ? 'data' in body && Array.isArray(body.data) : response.status === 401 && 'error' in body;
  } catch {
    return false;
  }
}

function causeCode(error: Error): string {
  for (let current: unknown = error.cause; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return '';
}

function connectionCheck(error: Error, baseURL: string): Check {
  const { protocol, hostname, host, port } = new URL(baseURL);
  const code = causeCode(error);
  if (code === 'EAI_AGAIN' || code === 'ENOTFOUND') {
    return failed(
      'network',
      `The host name ${hostname} cannot be resolved (${code}).`,
      code === 'EAI_AGAIN' ? 'Check the network connection of this machine.' : 'Check the spelling of the base URL.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return failed(
      'network',
      `${hostname} refuses connections on port ${port || (protocol === 'https:' ? 443 : 80)}.`,
      port === '8787' ? 'Start the server: modelwire serve' : 'Check that the server is running on this port.',
    );
  }
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || error instanceof TimeoutError) {
    return failed('network', `${host} does not respond.`, 'Check the firewall, the VPN and the base URL.');
  }
  const message = oneLine(error.message);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    const fix = 'The certificate is not trusted. Set NODE_EXTRA_CA_CERTS=<file> to the certificate of its issuer.';
    return failed('server', message, fix);
  }
  if (/WRONG_VERSION|EPROTO|ERR_SSL/.test(code)) {
    return failed('server', message, `The server does not use TLS. Try ${baseURL.replace(/^https/, 'http')}`);
  }
  if (/HPE_|ECONNRESET|UND_ERR_SOCKET/.test(code) && protocol === 'http:') {
    return failed('server', message, `The server may require TLS. Try ${baseURL.replace(/^http/, 'https')}`);
  }
  return failed('server', message, 'Check the base URL and the network connection of this machine.');
}

/** Checks that the model is listed and streams a reply. */
export async function checkChat(
  configured: string | undefined,
  models: readonly string[],
  { chat }: Client,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const model = configured ?? models[0];
  if (model === undefined) return [skipped('chat', 'There is no model to test.')];
  const isListed = models.length === 0 || models.includes(model);
  const suggestion = isListed ? undefined : nearest(model, models);
  const unlisted = isListed
    ? []
    : [
        failed(
          'model',
          `The server does not list the model ${model}.`,
          suggestion === undefined ? `It lists ${models.slice(0, 5).join(', ')}.` : `Did you mean ${suggestion}?`,
        ),
      ];
  const started = performance.now();
  let firstToken: number | undefined;
  try {
    const stream = chat.completions.stream(
      { model, messages: [{ role: 'user', content: 'Hello' }], max_completion_tokens: 16 },
      { signal, maxRetries: 0 },
    );
    for await (const event of stream) if (event.type === 'content.delta') firstToken ??= performance.now() - started;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      ...unlisted,
      failed('chat', `${model} fails: ${reason}`, 'Use another model: --model, or modelwire config set model'),
    ];
  }
  const total = performance.now() - started;
  return [
    ...unlisted,
    ok(
      'chat',
      `${model} streams: first token after ${Math.round(firstToken ?? total)} ms, complete after ${Math.round(total)} ms.`,
    ),
  ];
}
