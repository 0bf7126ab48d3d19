import type { Settings } from '../options.ts';
import type { SentRequest } from '../report.ts';
import { NoResponseError } from './response.ts';
import type { CompleteResponse } from './response.ts';
import type { Call } from './call.ts';
import { pause } from './pause.ts';
import { raceAbort } from './race-abort.ts';
import { readBounded } from './read-bounded.ts';

/** Observations during the run, for the checks that run last. */
export interface ExchangeStats {
  requests: number;
  readonly rateLimited: CompleteResponse[];
  readonly serverErrors: CompleteResponse[];
  readonly clientErrors: CompleteResponse[];
  readonly requestIds: Map<string, SentRequest>;
  /** A response whose request ID another one had. */
  repeatedRequestId: CompleteResponse | undefined;
  /** A response with a rate limit. */
  limited: CompleteResponse | undefined;
  /** A response whose rate limit is impossible. */
  impossibleLimit: CompleteResponse | undefined;
  /** A stream with an error among its events. */
  brokenStream: CompleteResponse | undefined;
}

export interface Sender {
  send(call: Call): Promise<CompleteResponse>;
  /** Waits until the requests in flight that may create something have ended, at most 5 s. */
  settle(): Promise<void>;
  readonly stats: ExchangeStats;
}

const BODY_MAX_BYTES = 8 * 1024 ** 2;
/** After a 429: the maximum number of retries and the maximum delay. */
const MAX_RETRIES = 3;
const MAX_RETRY_DELAY_MS = 10_000;
const MAX_RECORDED = 20;
/** How long a request that may create something can outlive the run, so that what it creates is known and removed. */
const GRACE_MS = 5000;

/**
 * Sends requests and reads responses within limits of time and size. Redirects are not followed, so
 * that a key is never sent to another host.
 */
export function createSender(
  settings: Settings,
  runSignal: AbortSignal,
  onResponse: (call: Call, response: CompleteResponse) => void,
  graceMs = GRACE_MS,
): Sender {
  const stats: ExchangeStats = {
    requests: 0,
    rateLimited: [],
    serverErrors: [],
    clientErrors: [],
    requestIds: new Map(),
    repeatedRequestId: undefined,
    limited: undefined,
    impossibleLimit: undefined,
    brokenStream: undefined,
  };

  const graceEnd = new AbortController();
  const creating = new Set<Promise<CompleteResponse>>();

  async function attempt(call: Call): Promise<CompleteResponse> {
    const { url, init, sent } = await prepare(call, settings);
    if (runSignal.aborted) throw new NoResponseError('The request was not sent: the run was aborted.', sent);
    const end = call.method === 'POST' ? graceEnd.signal : runSignal;
    const signal = AbortSignal.any([end, AbortSignal.timeout(settings.requestTimeoutMs)]);
    stats.requests++;
    let fetchResponse: Response;
    try {
      fetchResponse = await raceAbort(settings.fetch(url, { ...init, signal, redirect: 'manual' }), signal);
    } catch (error) {
      throw new NoResponseError(`There was no response: ${failureReason(error, runSignal)}.`, sent);
    }
    const result = await readBounded(fetchResponse, call.maxBytes ?? BODY_MAX_BYTES, signal, call);
    if (result.failure) {
      const reason =
        result.failure === 'size'
          ? `its body is longer than ${call.maxBytes ?? BODY_MAX_BYTES} bytes`
          : result.failure === 'time'
            ? `its body did not end within ${settings.requestTimeoutMs} ms`
            : 'the connection failed within its body';
      const isBroken = result.failure === 'broken';
      throw new NoResponseError(`The response has status ${fetchResponse.status}, but ${reason}.`, sent, isBroken);
    }
    const response = { sent, status: fetchResponse.status, headers: fetchResponse.headers, ...result.body };
    record(response);
    return response;
  }

  function record(response: CompleteResponse): void {
    if (response.status === 429) addBounded(stats.rateLimited, response);
    else if (response.status >= 500) addBounded(stats.serverErrors, response);
    else if (response.status >= 400) addBounded(stats.clientErrors, response);
    if (response.status === 200 && /^data: ?\{\s*"error"\s*:/m.test(response.text)) stats.brokenStream ??= response;
    for (const kind of ['requests', 'tokens']) {
      const remaining = response.headers.get(`x-ratelimit-remaining-${kind}`);
      if (remaining === null) continue;
      stats.limited ??= response;
      const limit = Number(response.headers.get(`x-ratelimit-limit-${kind}`) ?? Infinity);
      if (!/^\d+$/.test(remaining) || Number(remaining) > limit) stats.impossibleLimit ??= response;
    }
    const id = response.headers.get('x-request-id');
    if (id === null) return;
    if (stats.requestIds.has(id)) stats.repeatedRequestId ??= response;
    if (stats.requestIds.size < 10_000) stats.requestIds.set(id, response.sent);
  }

  async function sendWithRetries(call: Call): Promise<CompleteResponse> {
    for (let retries = 0; ; retries++) {
      const response = await attempt(call);
      const isRepeated = response.status === 429 && retries < (call.maxRetries ?? MAX_RETRIES);
      const delayMs = isRepeated ? retryAfterMs(response.headers) : undefined;
      if (delayMs === undefined || delayMs > MAX_RETRY_DELAY_MS) {
        onResponse(call, response);
        return response;
      }
      await pause(delayMs, runSignal);
    }
  }

  return {
    stats,
    send(call) {
      const sending = sendWithRetries(call);
      if (call.method !== 'POST') return sending;
      creating.add(sending);
      const remove = (): void => void creating.delete(sending);
      sending.then(remove, remove);
      return raceAbort(sending, runSignal);
    },
    async settle() {
      const timer = setTimeout(() => graceEnd.abort(), graceMs);
      await Promise.allSettled(creating);
      clearTimeout(timer);
    },
  };
}

function addBounded(list: CompleteResponse[], response: CompleteResponse): void {
  if (list.length < MAX_RECORDED) list.push(response);
}

function retryAfterMs(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after') ?? NaN) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

function failureReason(error: unknown, runSignal: AbortSignal): string {
  if (runSignal.aborted) return 'the run was aborted';
  if (!(error instanceof Error)) return 'it failed';
  if (error.name === 'TimeoutError') return 'the request timed out';
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
}

interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly sent: SentRequest;
}

async function prepare(call: Call, settings: Settings): Promise<PreparedRequest> {
  const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
  const path = `${call.path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const bearer = settings.apiKey === undefined ? null : `Bearer ${settings.apiKey}`;
  const authorization = call.authorization === undefined ? bearer : call.authorization;
  const { body, type, displayed } = await encodeBody(call);
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...settings.headers,
    ...(type !== undefined && { 'content-type': type }),
    ...call.headers,
    ...(authorization !== null && { authorization }),
  };
  const configuredNames = new Set(Object.keys(settings.headers));
  const sent: SentRequest = {
    method: call.method,
    path,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        // Boundaries are random, and equal runs send equal requests.
        configuredNames.has(name) || name === 'authorization' ? '[redacted]' : value.replace(/; boundary=.*/, ''),
      ]),
    ),
    ...(displayed !== undefined && { body: displayed }),
  };
  const init = { method: call.method, headers, ...(body !== undefined && { body }) };
  return { url: `${settings.baseURL}${path}`, init, sent };
}

/** Maximum length of a displayed body. */
const MAX_DISPLAYED = 4000;

/**
 * A server may respond and close the connection before it has read a form: if the form is sent in pieces, some runs have that response, and
 * others fail to send. Up to this size, forms are sent in one piece.
 */
const FORM_BUFFER_MAX_BYTES = 1024 ** 2;

interface EncodedBody {
  readonly body?: NonNullable<RequestInit['body']>;
  readonly type?: string;
  readonly displayed?: string;
}

async function encodeBody(call: Call): Promise<EncodedBody> {
  if (call.form) {
    const form = new FormData();
    const { fields = {}, file } = call.form;
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append(file.field, file.bytes, file.name);
    const displayed = [
      ...Object.entries(fields).map(([name, value]) => `${name}=${value}`),
      ...(file ? [`${file.field}=@${file.name} (${file.bytes.size} bytes)`] : []),
    ];
    const encoded = new Response(form);
    const size = (file?.bytes.size ?? 0) + Object.values(fields).join('').length;
    return {
      ...(size <= FORM_BUFFER_MAX_BYTES
        ? { body: await encoded.arrayBuffer(), type: encoded.headers.get('content-type') ?? '' }
        : { body: form }),
      displayed: `multipart form: ${displayed.join(', ')}`,
    };
  }
  if (call.raw) {
    const { content, type } = call.raw;
    return {
      body: content,
      type,
      displayed: typeof content === 'string' ? content.slice(0, MAX_DISPLAYED) : `(${content.size} bytes)`,
    };
  }
  if (call.body === undefined) return {};
  const body = JSON.stringify(call.body);
  return { body, type: 'application/json', displayed: body.slice(0, MAX_DISPLAYED) };
}
