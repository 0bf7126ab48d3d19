import type { Endpoint, TextFields } from '@modelwire/schema';
import { parseFields } from '@modelwire/schema';
import type * as z from 'zod';
import type { Kit } from '../context.ts';
import type { ContractForm } from './forms/contract-form.ts';
import type { Incoming, Outgoing } from './adapters/incoming.ts';
import { inside } from './inside.ts';
import type { Inside } from '../internal-dispatch.ts';
import { createRequestHandler } from './handle-request.ts';
import type { Served } from './served.ts';

/** An entry of the contract with what the kit does there, ready to be mounted. */
export interface MountedEndpoint {
  readonly contract: Endpoint;
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  readonly handler: (kit: Kit) => (incoming: Incoming) => Promise<Outgoing>;
  /** The same without HTTP around it, for work of the server's own. */
  readonly inside: (kit: Kit) => Inside;
}

export function endpoint<Shape extends z.core.$ZodShape, Body = undefined>(
  contract: Endpoint<string, z.ZodObject<Shape>>,
  served: Served<Body, z.output<z.ZodObject<Shape>>>,
): MountedEndpoint {
  const { method } = contract.route;
  const path = `/v1${contract.route.path}`;
  const query = (fields: TextFields, unknownFields: 'refuse' | 'keep') =>
    parseFields(contract.query, fields, { unknownFields });
  const place = { method, path, query, form: formOf(contract), ...served };
  return {
    contract,
    method,
    path,
    isIdempotent: served.idempotent === true,
    handler: (kit) => createRequestHandler(place, kit),
    inside: (kit) => inside(place, kit),
  };
}

function formOf({ request }: Endpoint): ContractForm | undefined {
  for (const body of request) {
    if (body.type === 'multipart/form-data') return { files: body.files, textNames: Object.keys(body.schema.shape) };
  }
  return undefined;
}
