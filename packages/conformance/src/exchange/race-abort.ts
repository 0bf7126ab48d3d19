/** Returns the promise, or rejects as soon as the signal aborts, because the promise itself may ignore the signal. */
export function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(reasonOf(signal));
    if (signal.aborted) {
      promise.catch(() => undefined);
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError');
