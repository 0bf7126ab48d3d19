import { isJsonType } from '@modelwire/adapter-kit/internal';
import { errorBodySchema, messageErrorSchema } from '@modelwire/schema/internal';
import type { Endpoint } from '@modelwire/schema';
import type { Components, Json } from './components.ts';

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

type HeaderName = keyof typeof headers;

/** References to headers, for one response. */
function headersOf(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const limitHeaders = [
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-tokens',
] as const satisfies readonly HeaderName[];

/** Every response of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, components: Components): Json {
  return { ...successes(endpoint, components), ...errors(endpoint, components) };
}

function successes(
  { response, event, responseHeaders = {}, summary, dialect }: Endpoint,
  components: Components,
): Json {
  if (response.type === 'binary') {
    const content = Object.fromEntries(
      // A file of JSON may have any value.
      response.mediaTypes.map((type) => [
        type,
        isJsonType(type) ? {} : { schema: { type: 'string', format: 'binary' } },
      ]),
    );
    return {
      200: {
        description: response.description,
        headers: headersOf('x-request-id', 'content-disposition', ...limitHeaders),
        content,
      },
      206: {
        description: 'The bytes that the `Range` header asks for.',
        headers: headersOf('x-request-id', 'content-disposition', 'content-range', ...limitHeaders),
        content,
      },
    };
  }
  const events = event && { 'text/event-stream': { schema: eventOf(components.schemaOf(event, 'output'), dialect) } };
  if (response.type === 'text/event-stream')
    return {
      200: { description: summary, headers: headersOf('x-request-id', ...limitHeaders), content: { ...events } },
    };
  return {
    200: {
      description: event
        ? `The whole reply; or with \`stream: true\` server-sent events, each with a chunk as its \`data\`${dialect ? '' : ', the last with `[DONE]`'}.`
        : summary,
      headers: { ...headersOf('x-request-id', ...limitHeaders), ...ownHeaders(responseHeaders) },
      content: {
        [response.type]: { schema: components.schemaOf(response.schema, 'output') },
        ...events,
      },
    },
  };
}

/** Headers of one endpoint, which are not among the components. */
function ownHeaders(descriptions: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** One server-sent event: its `data` is JSON, except for the final `[DONE]` of this interface. */
function eventOf(data: Json, dialect: Endpoint['dialect']): Json {
  const json = { contentMediaType: 'application/json', contentSchema: data };
  return {
    type: 'object',
    description: 'One server-sent event.',
    properties: {
      data: dialect
        ? { type: 'string', description: 'An event in JSON.', ...json }
        : { type: 'string', description: 'A chunk in JSON, or `[DONE]`.', anyOf: [{ const: '[DONE]' }, json] },
    },
    required: ['data'],
  };
}

const headersByStatus: Readonly<Partial<Record<number, readonly HeaderName[]>>> = {
  401: ['www-authenticate'],
  409: ['retry-after', 'x-should-retry'],
  416: ['content-range'],
  429: ['retry-after', 'x-should-retry', ...limitHeaders],
  503: ['retry-after', 'x-should-retry'],
};

function errors({ errors, dialect }: Endpoint, components: Components): Json {
  const body = dialect ? messageErrorSchema : errorBodySchema;
  const byStatus = new Map<number, { when: string[]; codes: Set<string> }>();
  for (const { status, codes, when } of errors) {
    const entry = byStatus.get(status) ?? { when: [], codes: new Set() };
    entry.when.push(when);
    for (const code of codes) entry.codes.add(code);
    byStatus.set(status, entry);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, { when, codes }]) => [
      status,
      {
        description: when.join(' ') + listOf(codes),
        headers: headersOf('x-request-id', ...(headersByStatus[status] ?? [])),
        content: { 'application/json': { schema: components.schemaOf(body, 'output') } },
      },
    ]),
  );
}

function listOf(codes: ReadonlySet<string>): string {
  return codes.size === 0 ? '' : ` Values of \`error.code\`: ${[...codes].map((code) => `\`${code}\``).join(', ')}.`;
}
