import type { BatchOutputLine } from '@modelwire/schema/types';
import { maxCrashes } from '../../jobs/suspects.ts';
import { randomId } from '../../ids.ts';
import type { InternalReply } from '../../internal-dispatch.ts';

/** The line of what was answered, well or not. */
export function answeredLine(custom_id: string, { status, requestId, body }: InternalReply): string {
  return text({ custom_id, response: { status_code: status, request_id: requestId, body }, error: null });
}

/** Why a line was never answered. */
export const unanswered = {
  batch_expired: 'This request could not be answered before the completion window ended.',
  batch_cancelled: 'This request was not answered: the batch was cancelled.',
  worker_crashed: `This request was not answered: the server crashed ${maxCrashes} times while it was at work.`,
} as const;
export type Unanswered = keyof typeof unanswered;

export function unansweredLine(custom_id: string, code: Unanswered): string {
  return text({ custom_id, response: null, error: { code, message: unanswered[code] } });
}

type Line = Omit<BatchOutputLine, 'id' | 'response'> & {
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: unknown } | null;
};

function text({ custom_id, response, error }: Line): string {
  const json = JSON.stringify({ id: randomId('batch_req_'), custom_id, response, error });
  // Line breaks to some readers (`splitlines` in Python), though not to JSON.
  return json.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
