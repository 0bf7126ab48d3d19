/** Settles like the promise, or rejects as soon as the signal aborts. The operation itself continues. */
export function raceAbort<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) {
    running.catch(() => undefined);
    return Promise.reject(reasonOf(signal));
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reasonOf(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
