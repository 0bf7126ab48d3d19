import { errorBodySchema } from '@modelwire/schema';
import type { Endpoint } from '@modelwire/schema';
import type { Components } from './components.ts';
import { headersOf, limitHeaders } from './headers.ts';
import type { HeaderName } from './headers.ts';
import type { Json } from './json.ts';

/** Every response of an endpoint, by status. */
export function responsesOf(endpoint: Endpoint, components: Components): Json {
  return { ...successes(endpoint, components), ...errors(endpoint, components) };
}

function successes({ response, event, responseHeaders = {}, summary }: Endpoint, components: Components): Json {
  if (response.type === 'binary') {
    const content = Object.fromEntries(
      response.mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
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
  return {
    200: {
      description: event
        ? 'The whole reply; or with `stream: true` server-sent events, each with a chunk as its `data`, the last with `[DONE]`.'
        : summary,
      headers: { ...headersOf('x-request-id', ...limitHeaders), ...ownHeaders(responseHeaders) },
      content: {
        [response.type]: { schema: components.schemaOf(response.schema, 'output') },
        ...(event && { 'text/event-stream': { schema: eventOf(components.schemaOf(event, 'output')) } }),
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

/** One server-sent event: its `data` is JSON, except for the final `[DONE]`. */
function eventOf(data: Json): Json {
  return {
    type: 'object',
    description: 'One server-sent event.',
    properties: {
      data: {
        type: 'string',
        description: 'A chunk in JSON, or `[DONE]`.',
        anyOf: [{ const: '[DONE]' }, { contentMediaType: 'application/json', contentSchema: data }],
      },
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

function errors({ errors }: Endpoint, components: Components): Json {
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
        content: { 'application/json': { schema: components.schemaOf(errorBodySchema, 'output') } },
      },
    ]),
  );
}

function listOf(codes: ReadonlySet<string>): string {
  return codes.size === 0 ? '' : ` Values of \`error.code\`: ${[...codes].map((code) => `\`${code}\``).join(', ')}.`;
}
