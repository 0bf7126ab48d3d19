import { systemErrorCode } from '@modelwire/adapter-kit';
import { readAtMost } from '@modelwire/adapter-kit/internal';
import type { WebSearch } from '@modelwire/ports';
import { request } from 'undici/index.js';
import { checkTimeout } from './command-search.ts';
import { maxReplyBytes, parseReply } from './search-reply.ts';

export interface ServiceSearchOptions {
  /** URL to which queries are posted. It may be on this machine. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that it may take. Default 10,000. */
  readonly timeoutMs?: number;
}

/**
 * A web search by an external service: the query is posted to it as JSON, and it responds with `{ "results": [{ "title", "url", "text" }] }`.
 * Redirects are not followed, since the key is for this URL. Responses are limited to 1 MiB.
 *
 * @throws TypeError for invalid options.
 */
export function serviceSearch(options: ServiceSearchOptions): WebSearch {
  const { url, apiKey, headers, timeoutMs = 10_000 } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError('serviceSearch: url must be an http or https URL');
  }
  checkTimeout('serviceSearch', timeoutMs);
  return {
    name: 'service',
    async search(query, { signal, observer }) {
      const { origin, pathname: path } = new URL(url);
      const attempt = { upstream: 'web_search', model: undefined, method: 'POST', origin, path, number: 1 };
      const observation = observer?.startUpstreamAttempt(attempt);
      let status: number | undefined;
      try {
        const { statusCode, body } = await request(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...observation?.headers,
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
            ...headers,
          },
          body: JSON.stringify(query),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        status = statusCode;
        if (!isSuccess(status)) {
          await body.dump();
          throw new Error(`the search responded with status ${status}`);
        }
        const results = parseReply(new TextDecoder().decode(await readAtMost(body, maxReplyBytes, replyTooLong)));
        observation?.end({ status });
        return results;
      } catch (error) {
        observation?.end(signal.aborted ? { status, aborted: true } : { status, failure: failureOf(error, status) });
        throw error;
      }
    },
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Why a search failed, without text of the service. */
function failureOf(error: unknown, status: number | undefined): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const code = systemErrorCode(error);
  if (code !== undefined) return code;
  if (status === undefined) return 'connection failed';
  return isSuccess(status) ? 'malformed response' : `status ${status}`;
}

const replyTooLong = (): Error => new Error(`the search returned more than ${maxReplyBytes} bytes`);
