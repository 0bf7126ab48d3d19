import type { Settings } from '../options.ts';
import type { SentRequest } from '../report.ts';
import { NoResponseError } from './answer.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { raceAbort } from './race-abort.ts';
import { readBounded } from './read-bounded.ts';

/** Observations during the run, for the checks that run last. */
export interface ExchangeStats {
  requests: number;
  readonly limited: Answer[];
  readonly failures: Answer[];
  readonly refusals: Answer[];
  readonly requestIds: Map<string, SentRequest>;
  /** A response whose request ID another one had. */
  repeated: Answer | undefined;
  /** A stream with an error among its events. */
  brokenStream: Answer | undefined;
}

export interface Sender {
  send(call: Call): Promise<Answer>;
  readonly seen: ExchangeStats;
}

const BODY_MAX_BYTES = 8 * 1024 ** 2;
/** After a 429: the maximum number of retries and the maximum delay. */
const RETRIES = 3;
const WAIT_MAX_MS = 10_000;
const KEPT_MAX = 20;

/**
 * Sends requests and reads responses within limits of time and size, whatever the server does. Redirects are not followed, so
 * that a key is never sent to another host.
 */
export function createSender(
  settings: Settings,
  ended: AbortSignal,
  onAnswer: (call: Call, answer: Answer) => void,
): Sender {
  const seen: ExchangeStats = {
    requests: 0,
    limited: [],
    failures: [],
    refusals: [],
    requestIds: new Map(),
    repeated: undefined,
    brokenStream: undefined,
  };

  async function attempt(call: Call): Promise<Answer> {
    const { url, init, sent } = await prepare(call, settings);
    const signal = AbortSignal.any([ended, AbortSignal.timeout(settings.requestTimeoutMs)]);
    seen.requests++;
    let response: Response;
    try {
      response = await raceAbort(settings.fetch(url, { ...init, signal, redirect: 'manual' }), signal);
    } catch (error) {
      throw new NoResponseError(`There was no response: ${reasonOf(error, ended)}.`, sent);
    }
    const read = await readBounded(response, call.maxBytes ?? BODY_MAX_BYTES, signal);
    if (read.cut) {
      const reason =
        read.cut === 'size'
          ? `its body is longer than ${call.maxBytes ?? BODY_MAX_BYTES} bytes`
          : read.cut === 'time'
            ? `its body did not end within ${settings.requestTimeoutMs} ms`
            : 'the connection failed within its body';
      throw new NoResponseError(`An answer ${response.status} response, but ${reason}.`, sent);
    }
    const answer = { sent, status: response.status, headers: response.headers, ...read.whole };
    note(answer);
    return answer;
  }

  function note(answer: Answer): void {
    if (answer.status === 429) keep(seen.limited, answer);
    else if (answer.status >= 500) keep(seen.failures, answer);
    else if (answer.status >= 400) keep(seen.refusals, answer);
    if (answer.status === 200 && /^data: ?\{\s*"error"\s*:/m.test(answer.text)) seen.brokenStream ??= answer;
    const id = answer.headers.get('x-request-id');
    if (id === null) return;
    if (seen.requestIds.has(id)) seen.repeated ??= answer;
    if (seen.requestIds.size < 10_000) seen.requestIds.set(id, answer.sent);
  }

  return {
    seen,
    async send(call) {
      for (let tries = 0; ; tries++) {
        const answer = await attempt(call);
        const waitMs = answer.status === 429 && tries < RETRIES ? retryAfterMs(answer.headers) : undefined;
        if (waitMs === undefined || waitMs > WAIT_MAX_MS) {
          onAnswer(call, answer);
          return answer;
        }
        await pause(waitMs, ended);
      }
    },
  };
}

/** Clears the timer when the run ends first. */
async function pause(ms: number, ended: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await raceAbort(over, ended).finally(() => clearTimeout(timer));
}

function keep(list: Answer[], answer: Answer): void {
  if (list.length < KEPT_MAX) list.push(answer);
}

function retryAfterMs(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number(headers.get('retry-after') ?? NaN) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

function reasonOf(error: unknown, ended: AbortSignal): string {
  if (ended.aborted) return 'the run was aborted';
  if (!(error instanceof Error)) return 'it failed';
  if (error.name === 'TimeoutError') return 'the request timed out';
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
}

interface Prepared {
  readonly url: string;
  readonly init: RequestInit;
  readonly sent: SentRequest;
}

async function prepare(call: Call, settings: Settings): Promise<Prepared> {
  const query = new URLSearchParams((call.query ?? []).map(([name, value]) => [name, value]));
  const path = `${call.path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const bearer = settings.apiKey === undefined ? null : `Bearer ${settings.apiKey}`;
  const authorization = call.authorization === undefined ? bearer : call.authorization;
  const { body, type, shown } = bodyOf(call);
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...settings.headers,
    ...(type !== undefined && { 'content-type': type }),
    ...call.headers,
    ...(authorization !== null && { authorization }),
  };
  const own = new Set(Object.keys(settings.headers));
  const sent: SentRequest = {
    method: call.method,
    path,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        own.has(name) || name === 'authorization' ? '[redacted]' : value,
      ]),
    ),
    ...(shown !== undefined && { body: shown }),
  };
  const init = { method: call.method, headers, ...(body !== undefined && { body }) };
  return { url: `${settings.baseURL}${path}`, init, sent };
}

/** Maximum length of a displayed body. */
const SHOWN_MAX = 4000;

function bodyOf(call: Call): { body?: BodyInit; type?: string; shown?: string } {
  if (call.form) {
    const form = new FormData();
    const { fields = {}, file } = call.form;
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append(file.field, file.bytes, file.name);
    const shown = [
      ...Object.entries(fields).map(([name, value]) => `${name}=${value}`),
      ...(file ? [`${file.field}=@${file.name} (${file.bytes.size} bytes)`] : []),
    ];
    return { body: form, shown: `multipart form: ${shown.join(', ')}` };
  }
  if (call.raw) {
    const { content, type } = call.raw;
    return { body: content, type, shown: typeof content === 'string' ? content.slice(0, SHOWN_MAX) : `(${content.size} bytes)` }; // prettier-ignore
  }
  if (call.body === undefined) return {};
  const body = JSON.stringify(call.body);
  return { body, type: 'application/json', shown: body.slice(0, SHOWN_MAX) };
}
