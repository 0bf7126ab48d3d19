import { apiError, DecodeError } from '../errors.ts';
import type { ApiError, ErrorDetails } from '../errors.ts';
import type { Exchange } from './exchange.ts';

/** How the body of a successful response is read. */
export interface ResponseReader<T> {
  /** The `Accept` header of the request. */
  readonly accept: string;
  /** Whether `read` reads to the end of the body; such a call has a total timeout by default. */
  readonly readsAll: boolean;
  /** Closes the exchange when the body has been read. `retries` is the number of retries that the caller allows. */
  readonly read: (exchange: Exchange, retries: number) => Promise<T>;
}

/** Characters of a body that an error keeps. */
export const EXCERPT_LENGTH = 2000;
const MAX_ERROR_BODY_LENGTH = 1024 * 1024;

/** Reads the body as JSON. `T` is not checked; see `inspect` for validation. */
export function asJson<T>(): ResponseReader<T> {
  return {
    accept: 'application/json',
    readsAll: true,
    async read(exchange) {
      const text = await readText(exchange);
      exchange.close();
      let value: T;
      try {
        value = JSON.parse(text) as T;
      } catch (cause) {
        // The parser's message quotes the body, so it is only in `cause`.
        const body = exchange.redactKey(text.slice(0, EXCERPT_LENGTH));
        throw new DecodeError('The response is not JSON.', { ...exchange.context, body, cause });
      }
      exchange.inspect(value, 'response');
      return value;
    },
  };
}

/** Returns the response itself, for bytes of any size. Its body still obeys the call's signal and timeouts. */
export const asResponse: ResponseReader<Response> = {
  accept: '*/*',
  readsAll: false,
  async read(exchange) {
    const { response, context } = exchange;
    if (response.body === null) {
      exchange.close();
      return response;
    }
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const chunk = await exchange.read();
            if (chunk !== undefined) {
              controller.enqueue(chunk);
              return;
            }
            exchange.close();
            controller.close();
          } catch (error) {
            exchange.close();
            throw error;
          }
        },
        cancel: () => exchange.close(),
      },
      { highWaterMark: 0 },
    );
    // Without the reason phrase: `fetch` decodes it as UTF-8, and a `Response` with characters above U+00FF cannot be created.
    return new Response(body, { status: context.status, headers: context.headers });
  },
};

/** The typed error of an unsuccessful response. */
export async function readError(exchange: Exchange): Promise<ApiError> {
  const { response, context, redactKey } = exchange;
  // A body that ends early still yields an error with the status.
  const text = redactKey(await readText(exchange, MAX_ERROR_BODY_LENGTH).catch(() => ''));
  exchange.close();
  const { message, ...fields } = describeError(text);
  return apiError(response.status, message ?? `The server responded with status ${response.status}.`, {
    ...context,
    ...fields,
  });
}

/** The body as text. Reads about `max` bytes at most. */
export async function readText(exchange: Exchange, max = Infinity): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  for (let chunk; text.length < max && (chunk = await exchange.read()) !== undefined;) {
    text += utf8.decode(chunk, { stream: true });
  }
  return text + utf8.decode();
}

/** The fields of `{"error": {…}}` (API: Errors), or of the looser shapes that other servers send. */
export function describeError(
  responseText: string,
): Pick<ErrorDetails, 'type' | 'param' | 'code' | 'body'> & { message?: string | undefined } {
  const body = parseBody(responseText);
  const error = isRecord(body) ? (body['error'] ?? body) : undefined;
  if (!isRecord(error)) return { message: text(error), body };
  return {
    message: text(error['message']),
    type: text(error['type']),
    param: text(error['param']),
    code: text(error['code']),
    body,
  };
}

/** The parsed JSON, or an excerpt of a text that is not JSON. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, EXCERPT_LENGTH);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
