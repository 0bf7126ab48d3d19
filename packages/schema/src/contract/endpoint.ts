import * as z from 'zod';
import { emptyQuerySchema } from '../fields/paging.ts';
import type { Route } from '../routes.ts';
import { parseFields } from '../parsing/fields.ts';
import type { TextFields } from '../parsing/fields.ts';
import { parseRequest } from '../parsing/parse.ts';
import type { ModelParseOptions, Parsed, ParseOptions } from '../parsing/parse.ts';
import { idempotencyKeyInUse, invalidBody, invalidRequest, universal } from './errors.ts';
import type { EndpointError } from './errors.ts';
import { pathErrors, pathParameters } from './parameters.ts';

/** A file in a multipart form. */
export interface FileField {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly maxBytes?: number;
}

/** Complete request bodies by title; the first is the default. IDs of other objects (`file-abc123`) are placeholders. */
export type RequestExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A JSON body. `parse` gives what handlers receive. */
export interface JsonBody<Body = unknown> {
  readonly type: 'application/json';
  readonly schema: z.ZodObject;
  readonly examples: RequestExamples;
  readonly parse: (body: unknown, options: ModelParseOptions) => Parsed<Body>;
}

/** A form. `parse` reads its text fields; files are received beside them. */
export interface FormBody<Body = unknown> {
  readonly type: 'multipart/form-data';
  readonly schema: z.ZodObject;
  readonly examples: RequestExamples;
  readonly files: readonly FileField[];
  /** Whether the handler receives it: see {@link StreamedForm}. */
  readonly isStreamed: boolean;
  readonly parse: (fields: TextFields, options: ParseOptions) => Parsed<Body>;
}

/** What the fields of a form are within, if its handler receives the form itself: its files can be large. */
export interface StreamedForm<Fields = unknown> {
  readonly fields: Fields;
}

/** One media type of the request body. */
export type RequestBody<Body = unknown> = JsonBody<Body> | FormBody<Body>;

export type ResponseBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodType }
  /** Only the events of `event`. */
  | { readonly type: 'text/event-stream' }
  | { readonly type: 'binary'; readonly mediaTypes: readonly string[]; readonly description: string };

/** The permission that the role of a key must include; `any` for endpoints that every key may use. */
export type EndpointAccess = 'any' | 'infer' | 'read' | 'result' | 'write' | 'operate';

/** What a server has to be configured with to offer an endpoint. */
export type EndpointNeed = 'stores' | 'blobs' | 'embeddings' | 'moderations' | 'videos' | 'webhooks';

/** The single definition of an endpoint, which servers, clients, the OpenAPI document and the conformance suite use. */
export interface Endpoint<Id extends string = string, Query = unknown, Body = unknown> {
  readonly id: Id;
  readonly route: Route;
  readonly access: EndpointAccess;
  readonly needs: readonly EndpointNeed[];
  /** Whether it takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  readonly summary: string;
  /** The section in the API; `companion` for endpoints that it does not describe. */
  readonly section: string;
  readonly pathParams: z.ZodObject;
  readonly query: z.ZodObject;
  readonly parseQuery: (fields: TextFields, options: ParseOptions) => Parsed<Query>;
  /** The media types of the body; empty without a body. */
  readonly request: readonly RequestBody<Body>[];
  readonly response: ResponseBody;
  /** The payload of each server-sent event, for endpoints that can stream. */
  readonly event?: z.ZodType;
  /**
   * Prefix of the IDs of its streams, if they can be resumed: a request with the `Idempotency-Key` of a stream joins it, after the event of its
   * `Last-Event-ID`.
   */
  readonly streamIdPrefix?: string;
  /** Headers that only responses of this endpoint have, by name, with a description of each. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly errors: readonly EndpointError[];
  /** The form of its errors, if it belongs to the interface of another provider. */
  readonly dialect?: 'messages';
}

/** @param parse Default: by the schema alone. */
export function json<Body>(schema: z.ZodObject & z.ZodType<Body>, examples: RequestExamples): JsonBody<Body>;
export function json<Body>(
  schema: z.ZodObject,
  examples: RequestExamples,
  parse: JsonBody<Body>['parse'],
): JsonBody<Body>;
export function json(
  schema: z.ZodObject,
  examples: RequestExamples,
  parse: JsonBody['parse'] = (body, options) => parseRequest(schema, body, options),
): JsonBody {
  return { type: 'application/json', schema, examples, parse };
}

/** A body whose fields are all optional: `null` is `{}`. */
export const optionalJson = <Body>(schema: z.ZodObject & z.ZodType<Body>, examples: RequestExamples): JsonBody<Body> =>
  json<Body>(schema, examples, (body, options) => parseRequest(schema, body ?? {}, options));

export const form = <Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  examples: RequestExamples,
  ...files: FileField[]
): FormBody<z.output<z.ZodObject<Shape>>> => ({
  type: 'multipart/form-data',
  schema,
  examples,
  files,
  isStreamed: false,
  parse: (fields, options) => parseFields(schema, fields, options),
});

/** A form that is the only body of its endpoint, and is received by the handler. */
export const streamedForm = <Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  examples: RequestExamples,
  ...files: FileField[]
): FormBody<StreamedForm<z.output<z.ZodObject<Shape>>>> => ({
  type: 'multipart/form-data',
  schema,
  examples,
  files,
  isStreamed: true,
  parse(fields, options) {
    const parsed = parseFields(schema, fields, options);
    return parsed.ok ? { ok: true, value: { fields: parsed.value } } : parsed;
  },
});

/** Events alone. */
export const eventStream: ResponseBody = { type: 'text/event-stream' };

/** The bytes of a file. */
export const binary = (mediaTypes: readonly string[], description: string): ResponseBody => ({
  type: 'binary',
  mediaTypes,
  description,
});

interface EndpointInit<Shape extends z.core.$ZodShape, Body> extends Partial<
  Pick<Endpoint, 'access' | 'needs' | 'section' | 'event' | 'streamIdPrefix' | 'responseHeaders' | 'errors' | 'dialect'>
> {
  readonly query?: z.ZodObject<Shape>;
  readonly request?: readonly RequestBody<Body>[];
  /** Default: an object that the path names does not exist. */
  readonly notFound?: EndpointError;
}

interface EndpointDefinition<Shape extends z.core.$ZodShape = z.core.$ZodShape, Body = unknown> extends EndpointInit<
  Shape,
  Body
> {
  readonly route: Route;
  readonly summary: string;
  readonly response: z.ZodType | ResponseBody;
}

type NoFields = typeof emptyQuerySchema.shape;

/** An entry of {@link endpoints}. Its section is by default `companion`; its access is `read` for GET, and `write` for other methods. */
export const endpoint = <Shape extends z.core.$ZodShape = NoFields, Body = undefined>(
  route: Route,
  summary: string,
  response: z.ZodType | ResponseBody,
  init: EndpointInit<Shape, Body> = {},
): EndpointDefinition<Shape, Body> => ({ ...init, route, summary, response });

/** An endpoint that only administrators may use. */
export const adminEndpoint: typeof endpoint = (route, summary, response, init) =>
  endpoint(route, `${summary} Needs a key with the role \`admin\`.`, response, { ...init, access: 'operate' });

type EndpointOf<Id extends string, Definition> =
  Definition extends EndpointDefinition<infer Shape, infer Body>
    ? Endpoint<Id, z.output<z.ZodObject<Shape>>, Body>
    : never;

type Endpoints<Definitions> = { readonly [Id in keyof Definitions & string]: EndpointOf<Id, Definitions[Id]> };

/**
 * Completes entries by ID: derives the path parameters from the path and adds the errors that all endpoints have.
 *
 * @param needs Of all entries that name none.
 */
export function endpoints<Definitions extends Readonly<Record<string, Pick<EndpointDefinition, 'route'>>>>(
  definitions: Definitions,
  needs?: readonly EndpointNeed[],
): Endpoints<Definitions>;
export function endpoints(
  definitions: Readonly<Record<string, EndpointDefinition>>,
  needs: readonly EndpointNeed[] = [],
): Readonly<Record<string, Endpoint>> {
  return Object.fromEntries(
    Object.entries(definitions).map(([id, definition]) => [id, complete(id, definition, needs)]),
  );
}

function complete(
  id: string,
  { notFound, ...definition }: EndpointDefinition,
  needs: readonly EndpointNeed[],
): Endpoint {
  const { route, response, section = 'companion', request = [], errors = [], query = emptyQuerySchema } = definition;
  return {
    ...definition,
    id,
    section,
    query,
    parseQuery: (fields, options) => parseFields(query, fields, options),
    request,
    access: definition.access ?? (route.method === 'GET' ? 'read' : 'write'),
    needs: definition.needs ?? needs,
    isIdempotent: errors.includes(idempotencyKeyInUse),
    pathParams: pathParameters(route.path),
    response: response instanceof z.ZodType ? { type: 'application/json', schema: response } : response,
    errors: [
      invalidRequest,
      ...(notFound ? [notFound] : pathErrors(route.path)),
      ...errors,
      ...(request.length > 0 ? invalidBody : []),
      ...universal,
    ],
  };
}
