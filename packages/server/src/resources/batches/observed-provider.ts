import type { BatchProvider, ObservedBatchApiCall, Observer } from '@modelwire/ports';

/** The same batch API, whose calls are observed. */
export function observedProvider(provider: BatchProvider, observer: Observer | undefined): BatchProvider {
  if (!observer?.batchApiCalled) return provider;
  const { upstream } = provider;

  function start(operation: ObservedBatchApiCall['operation'], signal: AbortSignal) {
    const startedAt = performance.now();
    return (hasSucceeded: boolean): void => {
      const outcome = hasSucceeded ? 'succeeded' : signal.aborted ? 'aborted' : 'failed';
      observer?.batchApiCalled?.({ upstream, operation, outcome, durationMs: performance.now() - startedAt });
    };
  }
  async function observe<Result>(
    operation: ObservedBatchApiCall['operation'],
    signal: AbortSignal,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const end = start(operation, signal);
    let hasSucceeded = false;
    try {
      const result = await call();
      hasSucceeded = true;
      return result;
    } finally {
      end(hasSucceeded);
    }
  }
  return {
    ...provider,
    upload: (input, signal) => observe('upload', signal, () => provider.upload(input, signal)),
    create: (batch, signal) => observe('create', signal, () => provider.create(batch, signal)),
    find: (batch, signal) => observe('find', signal, () => provider.find(batch, signal)),
    retrieve: (id, signal) => observe('retrieve', signal, () => provider.retrieve(id, signal)),
    cancel: (id, signal) => observe('cancel', signal, () => provider.cancel(id, signal)),
    deleteFile: (id, signal) => observe('deleteFile', signal, () => provider.deleteFile(id, signal)),
    async *download(fileId, signal) {
      const end = start('download', signal);
      let hasSucceeded = false;
      try {
        yield* provider.download(fileId, signal);
        hasSucceeded = true;
      } finally {
        end(hasSucceeded);
      }
    },
  };
}
