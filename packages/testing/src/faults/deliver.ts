import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { waitForDrain, writeResponse } from '../server/node-web.ts';
import type { FaultyResponse } from './apply-faults.ts';
import type { ConnectionFault, Step } from './faulty-body.ts';

/** The error that `fetch` of Node throws when a connection fails. */
function connectionError(breaks: 'drop' | 'reset', message: string): TypeError {
  const cause =
    breaks === 'reset'
      ? Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
      : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError(message, { cause });
}

/** Never resolves; rejects when the client disconnects. */
function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Converts a delivery to a `Response` that behaves like one over a connection. */
export async function toFetchResponse(delivery: FaultyResponse, signal: AbortSignal): Promise<Response> {
  if (!delivery.answer) {
    if (delivery.breaks === 'stall') return forever(signal);
    throw connectionError(delivery.breaks, 'fetch failed');
  }
  const { answer, steps } = delivery;
  if (!steps) return answer;
  return new Response(bodyOf(steps, signal), answer);
}

function bodyOf(steps: AsyncGenerator<Step>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const next = await steps.next();
          if (next.done === true) {
            controller.close();
            return;
          }
          const step = next.value;
          if ('bytes' in step) {
            if (step.bytes.length === 0) continue;
            controller.enqueue(step.bytes);
            return;
          }
          if ('wait' in step) await sleep(step.wait, undefined, { signal });
          else if (step.breaks === 'stall') await forever(signal);
          else throw connectionError(step.breaks, 'terminated');
        }
      },
      async cancel() {
        await steps.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Writes a delivery to a socket, which is closed or reset. */
export async function writeFaultyResponse(
  delivery: FaultyResponse,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (!delivery.answer) {
    breakConnection(response, delivery.breaks);
    return;
  }
  const { answer, steps } = delivery;
  if (!steps) {
    await writeResponse(answer, response);
    return;
  }
  response.writeHead(answer.status, [...answer.headers].flat());
  response.flushHeaders();
  for await (const step of steps) {
    if (response.destroyed) return;
    if ('wait' in step) await sleep(step.wait, undefined, { signal });
    else if ('breaks' in step) {
      await flushDelay();
      breakConnection(response, step.breaks);
      return;
    } else if (!response.write(step.bytes)) await waitForDrain(response);
  }
  response.end();
}

/** Gives the client time to read what was written before the connection is closed. */
async function flushDelay(): Promise<void> {
  await sleep(15);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

function breakConnection(response: ServerResponse, breaks: ConnectionFault): void {
  if (breaks === 'reset') response.socket?.resetAndDestroy();
  else if (breaks === 'drop') response.socket?.destroySoon();
}
