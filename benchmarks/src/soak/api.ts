import OpenAI from 'openai';
import { apiKey } from './replica.ts';
import type { Findings } from './findings.ts';

export interface Api {
  /** The official client. Throws an `APIError` for a refusal, which has been checked and counted. */
  readonly client: OpenAI;
  /** Sends a request, with a body that may be invalid, to the next replica. */
  send(method: string, path: string, body?: string): Promise<void>;
}

/** A client whose requests go to the replicas by turns. Each response is counted, and errors are checked for the documented shape. */
export function createApi(urls: readonly string[], findings: Findings, isOutage: () => boolean): Api {
  let next = 0;

  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const asked = new URL(input instanceof Request ? input.url : input);
    const target = new URL(`${asked.pathname}${asked.search}`, urls[next++ % urls.length]);
    const startedInOutage = isOutage();
    const response = await fetch(target, init);
    if (response.ok) {
      findings.count(String(response.status));
      return response;
    }
    const text = await response.clone().text();
    const code = errorCode(text);
    const route = `${init?.method ?? 'GET'} ${asked.pathname.replace(/[a-z]+[_-][A-Za-z0-9]{10,}/g, '{id}')}`;
    findings.count(`${response.status}${code === undefined ? '' : ` ${code}`}`);
    if (code === undefined)
      findings.add(`${route}: ${response.status} without the documented error shape`, text.slice(0, 300));
    const isExcused = code === 'storage_unavailable' && (startedInOutage || isOutage());
    if (response.status >= 500 && !isExcused)
      findings.add(`${route}: ${response.status} ${code ?? ''} although every dependency was up`, text.slice(0, 300));
    return response;
  }

  return {
    client: new OpenAI({ apiKey, baseURL: `${urls[0] ?? ''}/v1`, maxRetries: 0, fetch: send }),
    async send(method, path, body) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const response = await send(`${urls[0] ?? ''}${path}`, { method, headers, ...(body !== undefined && { body }) });
      await response.arrayBuffer();
    },
  };
}

/** The code of an error of the documented shape: message, type and code are texts. */
export function errorCode(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Readonly<Record<string, unknown>> };
    const { message, type, code } = error ?? {};
    return typeof message === 'string' && typeof type === 'string' && typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}
