import * as z from 'zod';
import { emptyQuerySchema } from '../paging.ts';
import type { Route } from '../routes.ts';
import { invalidBody, invalidRequest, universal } from './errors.ts';
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

/** One media type of the request body. `schema` parses JSON, and the text fields of a form through `parseFields`. */
export type RequestBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodObject; readonly examples: RequestExamples }
  | {
      readonly type: 'multipart/form-data';
      readonly schema: z.ZodObject;
      readonly examples: RequestExamples;
      readonly files: readonly FileField[];
    };

export type ResponseBody =
  | { readonly type: 'application/json'; readonly schema: z.ZodType }
  | { readonly type: 'binary'; readonly mediaTypes: readonly string[]; readonly description: string };

/** The single definition of an endpoint, which servers, clients, the OpenAPI document and the conformance suite use. */
export interface Endpoint<Id extends string = string, Query extends z.ZodObject = z.ZodObject> {
  readonly id: Id;
  readonly route: Route;
  readonly summary: string;
  /** The section in the API; `companion` for endpoints that it does not describe. */
  readonly section: string;
  readonly pathParams: z.ZodObject;
  readonly query: Query;
  /** The media types of the body; empty without a body. */
  readonly request: readonly RequestBody[];
  readonly response: ResponseBody;
  /** The payload of each server-sent event, for endpoints that can stream. */
  readonly event?: z.ZodType;
  /** Headers that only responses of this endpoint have, by name, with a description of each. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly errors: readonly EndpointError[];
}

export const json = (schema: z.ZodObject, examples: RequestExamples): RequestBody => ({
  type: 'application/json',
  schema,
  examples,
});

export const form = (schema: z.ZodObject, examples: RequestExamples, ...files: FileField[]): RequestBody => ({
  type: 'multipart/form-data',
  schema,
  examples,
  files,
});

/** The bytes of a file. */
export const binary = (mediaTypes: readonly string[], description: string): ResponseBody => ({
  type: 'binary',
  mediaTypes,
  description,
});

interface EndpointInit<Query extends z.ZodObject> extends Partial<
  Pick<Endpoint, 'section' | 'request' | 'event' | 'responseHeaders' | 'errors'>
> {
  readonly query?: Query;
  /** Default: an object that the path names does not exist. */
  readonly notFound?: EndpointError;
}

interface EndpointDefinition<Query extends z.ZodObject = z.ZodObject> extends EndpointInit<Query> {
  readonly route: Route;
  readonly summary: string;
  readonly response: z.ZodType | ResponseBody;
}

/** An entry of {@link endpoints}. Its section is by default `companion`. */
export const endpoint = <Query extends z.ZodObject = typeof emptyQuerySchema>(
  route: Route,
  summary: string,
  response: z.ZodType | ResponseBody,
  init: EndpointInit<Query> = {},
): EndpointDefinition<Query> => ({ ...init, route, summary, response });

/** An endpoint that only administrators may use. */
export const adminEndpoint: typeof endpoint = (route, summary, response, init) =>
  endpoint(route, `${summary} Needs a key with the role \`admin\`.`, response, init);

type QueryOf<Definition> = Definition extends EndpointDefinition<infer Query> ? Query : never;

type Endpoints<Definitions> = { readonly [Id in keyof Definitions & string]: Endpoint<Id, QueryOf<Definitions[Id]>> };

/** Completes entries by ID: derives the path parameters from the path and adds the errors that all endpoints have. */
export function endpoints<Definitions extends Readonly<Record<string, Pick<EndpointDefinition, 'route'>>>>(
  definitions: Definitions,
): Endpoints<Definitions>;
export function endpoints(
  definitions: Readonly<Record<string, EndpointDefinition>>,
): Readonly<Record<string, Endpoint>> {
  return Object.fromEntries(Object.entries(definitions).map(([id, definition]) => [id, complete(id, definition)]));
}

function complete(id: string, { notFound, ...definition }: EndpointDefinition): Endpoint {
  const { route, response, section = 'companion', request = [], errors = [], query = emptyQuerySchema } = definition;
  return {
    ...definition,
    id,
    section,
    query,
    request,
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
