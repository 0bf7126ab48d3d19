/** Milliseconds that an aborted write waits for the response to a request it has sent, to learn whether it succeeded. */
const graceMs = 5000;

export interface DelayedSignal {
  readonly signal: AbortSignal;
  stop(): void;
}

/** Returns a signal that aborts some seconds after another one. */
export function delaySignal(signal: AbortSignal | undefined): DelayedSignal {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => (timer = setTimeout(() => controller.abort(signal?.reason), graceMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, stop };
}
