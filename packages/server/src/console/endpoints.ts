import { createRequestHandler } from '../http/pipeline.ts';
import type { EndpointHandler } from '../http/route.ts';
import type { RequestAdapter, ResponseInit } from '../http/adapters/request-adapter.ts';
import type { ServerContext } from '../context.ts';
import { createSession, parseSignIn, readSession, revokeSession } from './session.ts';

/** An endpoint that only the console uses: it is not part of the contract, and not in the OpenAPI document. */
interface ConsoleEndpoint {
  readonly method: string;
  readonly path: string;
  readonly handler: (kit: ServerContext) => (request: RequestAdapter) => Promise<ResponseInit>;
}

/** What the console needs beside the public interface. */
export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  endpoint('POST', '/console/api/session', { access: 'public', parse: parseSignIn, handle: createSession }),
  endpoint('GET', '/console/api/session', { access: 'any', handle: readSession }),
  endpoint('DELETE', '/console/api/session', { access: 'any', handle: revokeSession }),
];

function endpoint<Body = undefined>(
  method: string,
  path: string,
  handler: EndpointHandler<Body, undefined>,
): ConsoleEndpoint {
  const route = {
    method,
    path,
    parseQuery: () => ({ ok: true, value: undefined }) as const,
    form: undefined,
    ...handler,
  };
  return { method, path, handler: (kit) => createRequestHandler(route, kit) };
}
