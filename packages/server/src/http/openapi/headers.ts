import type { Json } from './json.ts';

const header = (description: string, schema: Json, required = false): Json => ({
  description,
  ...(required && { required }),
  schema,
});

const remaining = (what: string): Json =>
  header(`${what} left in this minute. Only where limits are set.`, { type: 'string' });

/** Response headers, once under `components`. */
export const headers = {
  'x-request-id': header(
    'Identifies the request in the log of the server.',
    { type: 'string', examples: ['req_abc123'] },
    true,
  ),
  'retry-after': header('Seconds after which to send the request again.', { type: 'string', pattern: '^[0-9]+$' }),
  'x-should-retry': header('`false` where the same request would be refused again: do not retry it.', {
    type: 'string',
    enum: ['true', 'false'],
  }),
  'x-ratelimit-limit-requests': header('Requests per minute. Only where limits are set.', { type: 'string' }),
  'x-ratelimit-remaining-requests': remaining('Requests'),
  'x-ratelimit-limit-tokens': header('Tokens per minute. Only where limits are set.', { type: 'string' }),
  'x-ratelimit-remaining-tokens': remaining('Tokens'),
  'www-authenticate': header('The authentication scheme: `Bearer`.', { type: 'string' }, true),
  'content-disposition': header('Name of the file.', { type: 'string' }),
  'content-range': header('The bytes that were sent, or the size of the content.', { type: 'string' }),
} as const satisfies Readonly<Record<string, Json>>;

export type HeaderName = keyof typeof headers;

/** References to headers, for one response. */
export function headersOf(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const limitHeaders = [
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-tokens',
] as const satisfies readonly HeaderName[];
