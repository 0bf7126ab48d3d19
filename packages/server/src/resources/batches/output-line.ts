import type { BatchOutputLine } from '@modelwire/schema/types';
import { maxCrashes } from '../../jobs/suspects.ts';
import { randomId } from '../../ids.ts';
import type { InternalReply } from '../../internal-dispatch.ts';

/** The line of a response, successful or not. */
export function responseLine(custom_id: string, { status, requestId, body }: InternalReply): string {
  return formatLine({ custom_id, response: { status_code: status, request_id: requestId, body }, error: null });
}

/** Messages for lines without a response. */
export const errorMessages = {
  batch_expired: 'This request could not be executed before the completion window ended.',
  batch_cancelled: 'This request was not executed: the batch was cancelled.',
  worker_crashed: `This request failed: the server crashed ${maxCrashes} times while it ran.`,
} as const;
export type LineErrorCode = keyof typeof errorMessages;

export function errorLine(custom_id: string, code: LineErrorCode): string {
  return formatLine({ custom_id, response: null, error: { code, message: errorMessages[code] } });
}

type Line = Omit<BatchOutputLine, 'id' | 'response'> & {
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: unknown } | null;
};

function formatLine({ custom_id, response, error }: Line): string {
  const json = JSON.stringify({ id: randomId('batch_req_'), custom_id, response, error });
  // Some readers treat these as line breaks (`splitlines` in Python), although JSON does not.
  return json.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
