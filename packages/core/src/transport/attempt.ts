import type { ResponseReader } from './response-reader.ts';
import type { EncodedBody } from './body.ts';
import { TimeoutError } from '../errors.ts';
import { connectionError, openExchange, startTimer, toModelwireError, raceAbort } from './exchange.ts';
import type { CallContext, CallAbort, Exchange } from './exchange.ts';
import { bearer, setHeaders } from './headers.ts';
import type { HeaderFields, ResolvedTimeouts, OutgoingRequest, TransportSettings } from './options.ts';
import type { Route } from './url.ts';

/** What all attempts of a call share. */
export interface CallPlan {
  readonly settings: TransportSettings;
  readonly route: Route;
  readonly url: string;
  readonly body: EncodedBody;
  readonly headers: HeaderFields | undefined;
  readonly idempotencyKey: string | undefined;
  readonly accept: ResponseReader<unknown>['accept'];
  readonly timeouts: ResolvedTimeouts;
  readonly context: CallContext;
}

type FetchRequest = Omit<OutgoingRequest, 'headers'> & { readonly headers: Headers | Record<string, string> };

/** Sends the request once, through the middleware. Resolves with the response headers, whatever their status. */
export async function attempt(plan: CallPlan, callAbort: CallAbort): Promise<Exchange> {
  const { settings, context, timeouts, route, url } = plan;
  const { body, contentType } = plan.body;
  context.status = context.headers = context.requestId = undefined;
  const headersTimer = startTimer(timeouts.headers, () => {
    callAbort.abort(new TimeoutError('headers', timeouts.headers, { ...context }));
  });
  try {
    const fields = new Map<string, string>();
    const { apiKey } = settings;
    const key = typeof apiKey === 'function' ? await raceAbort(callAbort, Promise.resolve(apiKey())) : apiKey;
    setHeaders(fields, {
      accept: plan.accept,
      authorization: key === undefined ? undefined : bearer(key),
      'content-type': contentType,
      'idempotency-key': plan.idempotencyKey,
    });
    setHeaders(fields, settings.headers);
    setHeaders(fields, plan.headers ?? {});
    const redactKey = (text: string): string => (key === undefined ? text : text.replaceAll(key, '[key]'));

    const send = async ({ url, ...init }: FetchRequest): Promise<Response> => {
      try {
        // Required where the body is a stream, and without effect elsewhere.
        const duplex = { duplex: 'half' as const };
        return await settings.fetch(url, { ...init, ...duplex });
      } catch (error) {
        throw callAbort.reason() ?? connectionError(error, context, redactKey);
      }
    };
    const fail = (error: unknown): void => callAbort.abort(toModelwireError(error, context));
    const { middleware } = settings;
    const { method } = route;
    const { signal } = callAbort;
    const request = { url, method, body: typeof body === 'function' ? body(signal, fail) : body, signal };
    // `Headers` only where there is middleware: Node takes 25 ms to load the class.
    const pending =
      middleware.length === 0
        ? send({ ...request, headers: Object.fromEntries(fields) })
        : middleware.reduceRight<(request: OutgoingRequest) => Promise<Response>>(
            (next, middleware) => async (request) => middleware(request, next),
            send,
          )({ ...request, headers: new Headers([...fields]) });
    const response = await raceAbort(callAbort, pending).catch((error: unknown) => {
      // Nobody reads a response that arrives after the abort.
      pending.then((response) => response.body?.cancel()).catch(() => undefined);
      throw error;
    });
    context.status = response.status;
    context.headers = response.headers;
    context.requestId = response.headers.get('x-request-id') ?? undefined;
    const { maxEventBytes } = settings;
    const inspect = (value: unknown, part: 'response' | 'event'): void => {
      try {
        settings.inspect?.(value, { route, part, details: { ...context } });
      } catch (error) {
        throw toModelwireError(error, context);
      }
    };
    return openExchange({ response, context, callAbort, timeouts, redactKey, maxEventBytes, inspect });
  } finally {
    clearTimeout(headersTimer);
  }
}
