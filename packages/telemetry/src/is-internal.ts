import type { ObservedRequest } from '@modelwire/ports';

/** Whether a request is handled for one that ended earlier: it is a batch line, or generates a background response or a video. */
export function isInternal({
  batchLine,
  backgroundResponse,
  videoJob,
}: Pick<ObservedRequest, 'batchLine' | 'backgroundResponse' | 'videoJob'>): boolean {
  return batchLine !== undefined || backgroundResponse !== undefined || videoJob !== undefined;
}
