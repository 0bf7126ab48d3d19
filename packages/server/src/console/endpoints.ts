import { parseFields, parseRequest } from '@modelwire/schema';
import { createRequestHandler } from '../http/pipeline.ts';
import { noQuery } from '../http/request-state.ts';
import type { Route } from '../http/request-state.ts';
import type { Handle } from '../http/router.ts';
import type { ServerContext } from '../context.ts';
import { activityQuerySchema, readActivity } from './activity.ts';
import { errorsQuerySchema, readRecentErrors } from './errors.ts';
import { metadataQuerySchema, readMetadata } from './metadata.ts';
import { readNames, readPeople } from './names.ts';
import { createSession, readSession, readSignInMethods, revokeSession, signInSchema } from './session.ts';
import { readStatus } from './status.ts';
import { readConsoleUsage, usageQuerySchema } from './usage.ts';

/** An endpoint that only the console uses. It is not part of the public API and not in the OpenAPI document. */
interface ConsoleEndpoint {
  readonly method: string;
  readonly path: string;
  readonly handler: (server: ServerContext) => Handle;
}

const strict = { unknownFields: 'refuse' } as const;

/** Endpoints of the console besides the public API. */
export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  endpoint('POST', '/console/api/session', {
    access: 'public',
    parseQuery: noQuery,
    json: { parse: (body) => parseRequest(signInSchema, body, strict) },
    handle: createSession,
  }),
  endpoint('GET', '/console/api/session', { access: 'any', parseQuery: noQuery, handle: readSession }),
  endpoint('DELETE', '/console/api/session', { access: 'any', parseQuery: noQuery, handle: revokeSession }),
  endpoint('GET', '/console/api/sign-in', { access: 'public', parseQuery: noQuery, handle: readSignInMethods }),
  endpoint('GET', '/console/api/status', { access: 'operate', parseQuery: noQuery, handle: readStatus }),
  endpoint('GET', '/console/api/names', { access: 'operate', parseQuery: noQuery, handle: readNames }),
  endpoint('GET', '/console/api/people', { access: 'operate', parseQuery: noQuery, handle: readPeople }),
  endpoint('GET', '/console/api/metadata', {
    access: 'read',
    parseQuery: (fields) => parseFields(metadataQuerySchema, fields, strict),
    handle: readMetadata,
  }),
  endpoint('GET', '/console/api/usage', {
    access: 'operate',
    parseQuery: (fields) => parseFields(usageQuerySchema, fields, strict),
    handle: readConsoleUsage,
  }),
  endpoint('GET', '/console/api/activity', {
    access: 'operate',
    parseQuery: (fields) => parseFields(activityQuerySchema, fields, strict),
    handle: readActivity,
  }),
  endpoint('GET', '/console/api/errors', {
    access: 'operate',
    parseQuery: (fields) => parseFields(errorsQuerySchema, fields, strict),
    handle: readRecentErrors,
  }),
];

function endpoint<Body = undefined, Query = undefined>(
  method: string,
  path: string,
  init: Omit<Route<Body, Query>, 'method' | 'path'>,
): ConsoleEndpoint {
  return { method, path, handler: (server) => createRequestHandler({ method, path, ...init }, server) };
}
