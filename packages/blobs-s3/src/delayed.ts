/** Milliseconds that an aborted write waits for the answer to what it has sent: then it is known what the store has made of it. */
const graceMs = 5000;

export interface Delayed {
  readonly signal: AbortSignal;
  stop(): void;
}

/** Aborts some seconds after another signal. */
export function delayed(signal: AbortSignal | undefined): Delayed {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => (timer = setTimeout(() => late.abort(signal?.reason), graceMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: late.signal, stop };
}
