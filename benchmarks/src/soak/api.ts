import { apiKey } from './replica.ts';
import type { Findings } from './findings.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
  /** The error code of a refusal. */
  readonly code: string | undefined;
}

export interface Api {
  /** Sends one request to the next replica and checks that an error has the documented shape. */
  request(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Answer>;
  /** Repeats a request until it gets the status, for reads that an outage may interrupt. */
  untilStatus(status: number, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Opens a response without reading its body. */
  open(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
}

function headersFor(body: unknown, init?: RequestInit): Headers {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${apiKey}`);
  if (body !== undefined && !(body instanceof FormData)) headers.set('content-type', 'application/json');
  return headers;
}

function encoded(body: unknown): RequestInit['body'] {
  if (body === undefined || body instanceof FormData || typeof body === 'string') return body;
  return JSON.stringify(body);
}

/** The documented error shape: message, type and code are texts, `param` is a text or null. */
export function errorCode(json: unknown): string | undefined {
  const error = fieldOf(json, 'error');
  const [message, type, code] = ['message', 'type', 'code'].map((name) => fieldOf(error, name));
  return typeof message === 'string' && typeof type === 'string' && typeof code === 'string' ? code : undefined;
}

/** A member of parsed JSON. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createApi(urls: readonly string[], findings: Findings, isOutage: () => boolean): Api {
  let next = 0;
  const target = (path: string): string => `${urls[next++ % urls.length] ?? ''}${path}`;

  function open(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const init = { method, headers: headersFor(body), body: encoded(body), ...(signal && { signal }) };
    return fetch(target(path), init);
  }

  async function request(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Answer> {
    const startedInOutage = isOutage();
    const response = await fetch(target(path), {
      ...init,
      method,
      headers: headersFor(body, init),
      ...(body !== undefined && { body: encoded(body) }),
    });
    const text = await response.text();
    const json = parsed(text);
    const code = response.ok ? undefined : errorCode(json);
    const answer = { status: response.status, text, json, code };
    const route = `${method} ${path.replace(/[a-z]+[_-][A-Za-z0-9]{10,}/g, '{id}').replace(/\?.*/, '')}`;
    findings.count(`${response.status}${code === undefined ? '' : ` ${code}`}`);
    if (!response.ok && code === undefined) {
      findings.add(`${route}: ${response.status} without the documented error shape`, text.slice(0, 300));
    }
    const isExcused = code === 'storage_unavailable' && (startedInOutage || isOutage());
    if (response.status >= 500 && !isExcused) {
      findings.add(`${route}: ${response.status} ${code ?? ''} although every dependency was up`, text.slice(0, 300));
    }
    return answer;
  }

  return {
    open,
    request,
    async untilStatus(status, method, path, body) {
      for (let tries = 1; ; tries++) {
        const answer = await request(method, path, body).catch((error: unknown) => error);
        if (!(answer instanceof Error) && fieldOf(answer, 'status') === status) return answer as Answer;
        if (tries === 20) throw new Error(`${method} ${path}: ${JSON.stringify(answer).slice(0, 300)}`);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    },
  };
}
