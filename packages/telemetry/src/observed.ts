import type { ObservedRequest, Observer, RequestObservation } from '@modelwire/ports';

/** An observer that never skips a request. */
export interface NonSkippingObserver extends Observer {
  startRequest(request: ObservedRequest): RequestObservation;
}

export const noopObservation = { end: () => undefined } as const;

/** Whether an operation ended because the client disconnected, which is no failure. */
export function isClientDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'client_disconnected';
}

/** Whether this is internal work for an earlier request: a batch line, or the generation of a background response or a video. */
export function isInternal({
  batchLine,
  backgroundResponse,
  videoId,
}: Pick<ObservedRequest, 'batchLine' | 'backgroundResponse' | 'videoId'>): boolean {
  return batchLine !== undefined || backgroundResponse !== undefined || videoId !== undefined;
}
