import { parseFields } from '@modelwire/schema';
import type { Endpoint, TextFields } from '@modelwire/schema';
import type * as z from 'zod';
import type { ServerContext } from '../context.ts';
import type { InternalDispatch } from '../call.ts';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';
import { createInternalDispatch } from './internal-request.ts';
import { createRequestHandler } from './pipeline.ts';
import type { ContractForm, EndpointHandler } from './route.ts';

/** An entry of the contract with its handler, ready to be mounted. */
export interface MountedEndpoint {
  readonly contract: Endpoint;
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  readonly handler: (server: ServerContext) => (request: RequestAdapter) => Promise<ResponseInit>;
  /** Handles requests that the server sends to itself, without HTTP. */
  readonly internal: (server: ServerContext) => InternalDispatch;
}

export function endpoint<Shape extends z.core.$ZodShape, Body = undefined>(
  contract: Endpoint<string, z.ZodObject<Shape>>,
  handler: EndpointHandler<Body, z.output<z.ZodObject<Shape>>>,
): MountedEndpoint {
  const { method } = contract.route;
  const path = `/v1${contract.route.path}`;
  const parseQuery = (fields: TextFields, unknownFields: 'refuse' | 'keep') =>
    parseFields(contract.query, fields, { unknownFields });
  const route = { method, path, parseQuery, form: formOf(contract), ...handler };
  return {
    contract,
    method,
    path,
    isIdempotent: handler.idempotent === true,
    handler: (server) => createRequestHandler(route, server),
    internal: (server) => createInternalDispatch(route, server),
  };
}

function formOf({ request }: Endpoint): ContractForm | undefined {
  for (const body of request) {
    if (body.type === 'multipart/form-data') return { files: body.files, textNames: Object.keys(body.schema.shape) };
  }
  return undefined;
}
