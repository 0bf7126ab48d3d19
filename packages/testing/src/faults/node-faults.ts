import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Listener } from '../server/listen.ts';
import { disconnectSignal, toWebRequest } from '../server/node-web.ts';
import { applyFaults } from './apply-faults.ts';
import { writeFaultyResponse } from './deliver.ts';
import type { ReorderBuffer } from './reorder.ts';
import { parseFaultRequest } from './plan.ts';
import type { FaultPlan } from './plan.ts';

export interface NodeFaultsInit {
  readonly plan: FaultPlan;
  readonly reorder: ReorderBuffer;
  readonly handleRequest: (request: Request) => Promise<Response>;
  readonly listener: Listener;
}

/** Wraps a listener with faults. Requests go directly to the listener when no fault is left. */
export function faultyListener({ plan, reorder, handleRequest, listener }: NodeFaultsInit): Listener {
  async function respondWithFaults(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const signal = disconnectSignal(response);
    const isJson = request.headers['content-type']?.startsWith('application/json') === true;
    const bytes = isJson ? Uint8Array.from(Buffer.concat(await Array.fromAsync<Buffer>(request))) : undefined;
    const faults = plan.faultsFor(parseFaultRequest(method, url, bytes && new TextDecoder().decode(bytes), signal));
    if (faults.length === 0 && !bytes) {
      listener(request, response);
      return;
    }
    const webRequest = toWebRequest(request, signal, bytes);
    await writeFaultyResponse(
      await applyFaults({ faults, reorder, signal, handleRequest: () => handleRequest(webRequest) }),
      response,
      signal,
    );
  }
  return (request, response) => {
    if (plan.isSpent()) listener(request, response);
    // The client disconnected, or the body failed: no response can be sent.
    else respondWithFaults(request, response).catch(() => response.destroy());
  };
}
