import { setTimeout as sleep } from 'node:timers/promises';
import { deliverySteps } from './faulty-body.ts';
import type { ConnectionFault, Step } from './faulty-body.ts';
import type { ReorderBuffer } from './reorder.ts';
import type { PlannedFault } from './schema.ts';

/** A response with faults: delivered in steps, or replaced by a connection fault. */
export type FaultyResponse =
  | { readonly answer: Response; readonly steps: AsyncGenerator<Step> | undefined }
  | { readonly answer: undefined; readonly breaks: ConnectionFault };

export interface ApplyFaultsInit {
  readonly faults: readonly PlannedFault[];
  readonly handleRequest: () => Promise<Response>;
  readonly reorder: ReorderBuffer;
  readonly signal: AbortSignal;
}

/** Handles a request and applies faults to the request and the response. */
export async function applyFaults({
  faults,
  handleRequest,
  reorder,
  signal,
}: ApplyFaultsInit): Promise<FaultyResponse> {
  let stallMs = 0;
  for (const fault of faults) {
    if (fault.fault === 'latency') await sleep(fault.ms, undefined, { signal });
    if (fault.fault !== 'drop' && fault.fault !== 'reset' && fault.fault !== 'stall') continue;
    if (fault.afterChunks !== undefined) continue;
    if (fault.fault === 'stall' && fault.ms !== undefined) stallMs += fault.ms;
    else {
      if (fault.processed === true) await handleRequest().then((answer) => answer.body?.cancel());
      return { answer: undefined, breaks: fault.fault };
    }
  }
  if (stallMs > 0) await sleep(stallMs, undefined, { signal });
  const answer = errorResponse(faults) ?? (await handleRequest());
  for (const fault of faults) if (fault.fault === 'out-of-order') await reorder(fault);
  const headers = new Headers(answer.headers);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  for (const fault of faults) if (fault.fault === 'content-type') headers.set('content-type', fault.type);
  const { status } = answer;
  if (!faults.some(({ fault }) => bodyFaults.includes(fault))) {
    return { answer: new Response(answer.body, { status, headers }), steps: undefined };
  }
  headers.delete('content-length');
  return { answer: new Response(null, { status, headers }), steps: deliverySteps(answer.body, isStream, faults) };
}

const bodyFaults: readonly string[] = [
  'token-pace',
  'drop',
  'reset',
  'stall',
  'malformed-frame',
  'split-utf8',
  'truncated',
  'slow-body',
];

/** An error response instead of the server's. */
function errorResponse(faults: readonly PlannedFault[]): Response | undefined {
  for (const fault of faults) {
    if (fault.fault === 'rate-limit') {
      const error = {
        message: 'A planned fault: too many requests.',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      };
      return Response.json({ error }, { status: 429, headers: { 'retry-after': String(fault.retryAfter) } });
    }
    if (fault.fault === 'server-error') {
      const error = { message: fault.message, type: 'server_error', param: null, code: null };
      return Response.json({ error }, { status: fault.status });
    }
  }
  return undefined;
}
