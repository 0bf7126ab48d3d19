import type { ObservedRequest } from '@modelwire/ports';

/** Whether this is internal work for an earlier request: a batch line, or the generation of a background response or a video. */
export function isInternal({
  batchLine,
  backgroundResponse,
  videoId,
}: Pick<ObservedRequest, 'batchLine' | 'backgroundResponse' | 'videoId'>): boolean {
  return batchLine !== undefined || backgroundResponse !== undefined || videoId !== undefined;
}
