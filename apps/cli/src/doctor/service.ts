import { ApiError, ConnectionError, isModelwireError } from '@modelwire/core';
import type { Transport } from '@modelwire/core';
import { createChat } from '@modelwire/chat';
import { createModels } from '@modelwire/models';
import type { Settings } from '../config/settings.ts';
import { nearest } from '../nearest.ts';
import { oneLine } from '../output/controls.ts';
import { fine, skipped, warning, wrong } from './check.ts';
import type { Check } from './check.ts';

export interface ServiceChecks {
  readonly checks: readonly Check[];
  /** The server answers as one of the interface. */
  readonly answers: boolean;
  readonly models: readonly string[];
}

/** Whether what answers is a server of the interface, takes the key, and has models. */
export async function checkService(
  settings: Settings,
  transport: Transport,
  signal: AbortSignal,
): Promise<ServiceChecks> {
  const { baseURL } = settings;
  try {
    const { data } = await createModels(transport).list({ signal, maxRetries: 0 });
    if (!Array.isArray(data)) throw new TypeError('no list');
    const models = data.map(({ id }) => id);
    const shown = models.slice(0, 5).join(', ') + (models.length > 5 ? ` and ${models.length - 5} more` : '');
    const found =
      models.length === 0
        ? warning('models', 'the server lists none', 'Give it a model: its upstream may not be there yet.')
        : fine('models', shown);
    return { checks: [fine('server', `${baseURL.value} answers, and takes the key`), found], answers: true, models };
  } catch (error) {
    return { checks: [await diagnose(error, settings, signal)], answers: false, models: [] };
  }
}

async function diagnose(error: unknown, { baseURL, key }: Settings, signal: AbortSignal): Promise<Check> {
  const name = 'server';
  if (error instanceof ApiError) {
    const { status, message } = error;
    if (status === 401) {
      return key === undefined
        ? wrong(
            'key',
            'the server wants a key, and there is none',
            'Set MODELWIRE_API_KEY, or keep one: modelwire config set api-key',
          )
        : wrong('key', `the server does not take the key (${key.from}): ${message}`, mendKey(key.from));
    }
    if (status === 403) return wrong('key', `the key may not do this: ${message}`, 'Ask for a key with another role.');
    if (status === 429)
      return warning(name, `the server has enough for now: ${message}`, 'Wait, or ask for a higher limit.');
    if (status === 404 || status === 405) return diagnosePath(baseURL.value, key?.value, signal);
    return wrong(
      name,
      `it answers with ${status}: ${message}`,
      status >= 500 ? 'Look at its log.' : 'Is this its address?',
    );
  }
  if (error instanceof ConnectionError)
    return wrong(name, oneLine(error.message), mendConnection(error, baseURL.value));
  if (isModelwireError(error) && error.name === 'DecodeError') return diagnosePath(baseURL.value, key?.value, signal);
  if (error instanceof TypeError) return diagnosePath(baseURL.value, key?.value, signal);
  return wrong(name, error instanceof Error ? error.message : String(error), 'Is this the address of a model server?');
}

function mendKey(from: string): string {
  return `Another key: modelwire config set api-key. ${from === 'MODELWIRE_API_KEY' ? 'The one in MODELWIRE_API_KEY goes before it: unset that.' : ''}`.trim();
}

/** Something answers, and not as it should: most often the version prefix is missing, or there twice. */
async function diagnosePath(value: string, key: string | undefined, signal: AbortSignal): Promise<Check> {
  const url = new URL(value);
  const path = url.pathname.replace(/\/+$/, '');
  const guesses = [
    `${path}/v1`,
    path.replace(/\/v1\/v1$/, '/v1'),
    path.replace(/\/v\d+$/, ''),
    '/v1',
    '/api/v1',
    '/openai/v1',
  ];
  for (const guess of new Set(guesses)) {
    if (guess === path) continue;
    const other = url.origin + guess;
    if (await isService(other, key, signal)) {
      return wrong('server', `${value} is not the interface; ${other} is`, `modelwire config set base-url ${other}`);
    }
  }
  return wrong(
    'server',
    `something answers at ${value}, and it is no server of this interface`,
    'Look for its address in its documentation; it mostly ends in /v1.',
  );
}

async function isService(baseURL: string, key: string | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    // Of the same origin, so the key goes nowhere it did not go before.
    const headers = new Headers(key === undefined ? [] : [['authorization', `Bearer ${key}`]]);
    const response = await fetch(`${baseURL}/models`, { headers, signal, redirect: 'manual' });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) return false;
    return response.ok ? 'data' in body && Array.isArray(body.data) : response.status === 401 && 'error' in body;
  } catch {
    return false;
  }
}

function causeOf(error: Error): string {
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return ` (${at.code})`;
  }
  return '';
}

function mendConnection(error: Error, baseURL: string): string {
  const code = causeOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return 'Its certificate is not trusted: give NODE_EXTRA_CA_CERTS=<file> of whoever signed it.';
  }
  if (/WRONG_VERSION|EPROTO|ERR_SSL/.test(code)) return `It speaks no TLS: try ${baseURL.replace(/^https/, 'http')}`;
  if (/HPE_|ECONNRESET|UND_ERR_SOCKET/.test(code) && baseURL.startsWith('http:')) {
    return `It may want TLS: try ${baseURL.replace(/^http/, 'https')}`;
  }
  return 'Is this the address of a model server?';
}

/** Whether the model that would be used is there, and answers, whole and as a stream. */
export async function checkChat(
  asked: string | undefined,
  models: readonly string[],
  transport: Transport,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const model = asked ?? models[0];
  if (model === undefined) return [skipped('chat', 'there is no model to ask')];
  const listed = models.length === 0 || models.includes(model);
  const meant = listed ? undefined : nearest(model, models);
  const missing = listed
    ? []
    : [
        wrong(
          'model',
          `the server lists no ${model}`,
          meant === undefined ? `It lists ${models.slice(0, 5).join(', ')}.` : `Did you mean ${meant}?`,
        ),
      ];
  const started = performance.now();
  let first: number | undefined;
  try {
    const stream = createChat(transport).completions.stream(
      { model, messages: [{ role: 'user', content: 'Hello' }], max_completion_tokens: 16 },
      { signal, maxRetries: 0 },
    );
    for await (const event of stream) if (event.type === 'content.delta') first ??= performance.now() - started;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      ...missing,
      wrong('chat', `${model} does not answer: ${why}`, 'Another model: --model, or modelwire config set model'),
    ];
  }
  const all = performance.now() - started;
  return [
    ...missing,
    fine('chat', `${model} streams: first token after ${Math.round(first ?? all)} ms, all after ${Math.round(all)} ms`),
  ];
}
