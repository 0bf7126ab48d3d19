/** Rejects as soon as the signal aborts; the operation itself continues. */
export function untilAborted<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) {
    running.catch(() => undefined);
    return Promise.reject(reasonOf(signal));
  }
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(reasonOf(signal));
    signal.addEventListener('abort', leave, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
