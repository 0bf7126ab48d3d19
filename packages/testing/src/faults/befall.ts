import { setTimeout as sleep } from 'node:timers/promises';
import { steps } from './delivery.ts';
import type { Breakage, Step } from './delivery.ts';
import type { Held } from './hold.ts';
import type { PlannedFault } from './schema.ts';

/** An answer as faults leave it: to be delivered step by step, or none at all. */
export type Delivery =
  | { readonly answer: Response; readonly steps: AsyncGenerator<Step> | undefined }
  | { readonly answer: undefined; readonly breaks: Breakage };

export interface BefallInit {
  readonly faults: readonly PlannedFault[];
  readonly ask: () => Promise<Response>;
  readonly hold: Held;
  readonly signal: AbortSignal;
}

/** Has a request answered, with what befalls it on the way there and back. */
export async function befall({ faults, ask, hold, signal }: BefallInit): Promise<Delivery> {
  let stallMs = 0;
  for (const fault of faults) {
    if (fault.fault === 'latency') await sleep(fault.ms, undefined, { signal });
    if (fault.fault !== 'drop' && fault.fault !== 'reset' && fault.fault !== 'stall') continue;
    if (fault.afterChunks !== undefined) continue;
    if (fault.fault === 'stall' && fault.ms !== undefined) stallMs += fault.ms;
    else {
      if (fault.processed === true) await ask().then((answer) => answer.body?.cancel());
      return { answer: undefined, breaks: fault.fault };
    }
  }
  if (stallMs > 0) await sleep(stallMs, undefined, { signal });
  const answer = planned(faults) ?? (await ask());
  for (const fault of faults) if (fault.fault === 'out-of-order') await hold(fault);
  const headers = new Headers(answer.headers);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  for (const fault of faults) if (fault.fault === 'content-type') headers.set('content-type', fault.type);
  const { status } = answer;
  if (!faults.some(({ fault }) => ofBodies.includes(fault))) {
    return { answer: new Response(answer.body, { status, headers }), steps: undefined };
  }
  headers.delete('content-length');
  return { answer: new Response(null, { status, headers }), steps: steps(answer.body, isStream, faults) };
}

const ofBodies: readonly string[] = [
  'token-pace',
  'drop',
  'reset',
  'stall',
  'malformed-frame',
  'split-utf8',
  'truncated',
  'slow-body',
];

/** An error that stands instead of the server's answer. */
function planned(faults: readonly PlannedFault[]): Response | undefined {
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
