import { errorBodySchema, requestJsonSchema } from '@modelwire/schema';
import type { Endpoint, FileField, RequestBody } from '@modelwire/schema';
import * as z from 'zod';
import type { MountedEndpoint } from './request/endpoint.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of what this server serves, made from the contract. */
export function openApiDocument(endpoints: readonly MountedEndpoint[], version: string): Json {
  const components = createComponents();
  const paths: Record<string, Record<string, Json>> = {};
  for (const { contract, method, path } of endpoints) {
    (paths[path] ??= {})[method.toLowerCase()] = operation(contract, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Modelwire',
      version,
      description: 'The chat-completions-style model interface: chat completions and the resources around them.',
    },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: components.all(),
    },
  };
}

interface Components {
  /** The schema in place, or a reference where it has a name of its own. */
  use(schema: z.ZodType, io: 'input' | 'output'): Json;
  all(): Json;
}

/** Named schemas are written once under `components`, however many refer to them. */
function createComponents(): Components {
  const schemas: Record<string, Json> = {};
  return {
    use(schema, io) {
      const {
        $defs = {},
        $schema,
        ...own
      } = (
        io === 'input'
          ? requestJsonSchema(schema, { target: 'draft-2020-12' })
          : z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
      ) as Json & { $defs?: Json };
      for (const [name, definition] of Object.entries($defs)) schemas[name] = withoutId(refer(definition) as Json);
      return refer(own) as Json;
    },
    all: () => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function withoutId({ id, ...rest }: Json): Json {
  return rest;
}

/** `#/$defs/…` points into a schema that stands alone; ours stand under `components`. */
function refer(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(refer);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]: [string, unknown]) => [
      name,
      name === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : refer(value),
    ]),
  );
}

function operation(endpoint: Endpoint, components: Components): Json {
  const { id, summary, section, pathParams, query, request } = endpoint;
  return {
    operationId: id.replaceAll('.', '_'),
    summary,
    tags: [id.split('.')[0]],
    ...(section !== 'companion' && { description: `Interface: ${section}.` }),
    parameters: [...parameters(pathParams, 'path'), ...parameters(query, 'query')],
    ...(request.length > 0 && {
      requestBody: {
        required: true,
        content: Object.assign({}, ...request.map((body) => requestContent(body, components))) as Json,
      },
    }),
    responses: { 200: success(endpoint, components), ...errors(endpoint, components) },
  };
}

function parameters(schema: z.ZodObject, place: 'path' | 'query'): readonly Json[] {
  return Object.entries(schema.shape).map(([name, field]: [string, z.core.$ZodType]) => {
    const { $schema, description, ...json } = z.toJSONSchema(field, { io: 'input' }) as Json;
    return {
      name,
      in: place,
      required: place === 'path' || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      // `metadata[<key>]=<value>`, as the interface writes it.
      ...(json['type'] === 'object' && { style: 'deepObject', explode: true }),
      schema: json,
    };
  });
}

function requestContent(body: RequestBody, components: Components): Json {
  const schema = components.use(body.schema, 'input');
  if (body.type === 'application/json') return { [body.type]: { schema } };
  return { [body.type]: { schema: { allOf: [schema, filesSchema(body.files)] } } };
}

function filesSchema(files: readonly FileField[]): Json {
  return {
    type: 'object',
    required: files.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      files.map(({ name, description }) => [
        name,
        { type: 'string', contentMediaType: 'application/octet-stream', description },
      ]),
    ),
  };
}

function success({ response, event, summary }: Endpoint, components: Components): Json {
  const content =
    response.type === 'binary'
      ? Object.fromEntries(response.mediaTypes.map((type) => [type, {}]))
      : { [response.type]: { schema: components.use(response.schema, 'output') } };
  return {
    description: summary,
    headers: { 'x-request-id': { schema: { type: 'string' }, description: 'Names the request in logs.' } },
    content: { ...content, ...(event && { 'text/event-stream': { schema: components.use(event, 'output') } }) },
  };
}

function errors({ errors }: Endpoint, components: Components): Json {
  const byStatus = new Map<number, { when: string[]; codes: Set<string> }>();
  for (const { status, codes, when } of errors) {
    const known = byStatus.get(status) ?? { when: [], codes: new Set() };
    known.when.push(when);
    for (const code of codes) if (code !== null) known.codes.add(code);
    byStatus.set(status, known);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, { when, codes }]) => [
      status,
      {
        description: when.join(' ') + (codes.size > 0 ? ` Codes: ${[...codes].join(', ')}.` : ''),
        content: { 'application/json': { schema: components.use(errorBodySchema, 'output') } },
      },
    ]),
  );
}
