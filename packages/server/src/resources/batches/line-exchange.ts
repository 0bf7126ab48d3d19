import type { BatchedReply, BatchedRequest, BatchExchange } from '@modelwire/ports';
import { RequestError } from '../../errors.ts';

/** Ends a line that was recorded: it is submitted to an upstream with other lines. */
export class LineRecorded extends RequestError {
  readonly request: BatchedRequest;

  constructor(request: BatchedRequest) {
    super('The line is submitted to an upstream.', { status: 202, code: 'submitted' });
    this.request = request;
  }
}

/** Records the request of a line to an upstream: the line ends with `LineRecorded`. */
export function recordingExchange(upstream: string): BatchExchange {
  return {
    upstream,
    isReplied: false,
    reply(request) {
      throw new LineRecorded(request);
    },
  };
}

/** Answers the first request of a line with the reply of an upstream. Further ones, such as those after invalid output, are sent. */
export function repliedExchange(upstream: string, reply: BatchedReply): BatchExchange {
  let isUsed = false;
  return {
    upstream,
    isReplied: true,
    reply() {
      if (isUsed) return undefined;
      isUsed = true;
      return reply;
    },
  };
}
