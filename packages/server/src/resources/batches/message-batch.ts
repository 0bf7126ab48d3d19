import type { Batch, MessageBatch, MessageError } from '@modelwire/schema/types';
import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { messageErrorBody } from '../../http/message-errors.ts';

/** The path of the requests of a batch of messages. */
export const messagesPath = '/v1/messages';

/** Why a request has no message. */
type Failure = 'errored' | 'canceled' | 'expired';

export type FailureCounts = Readonly<Record<Failure, number>>;

/** The result of one request, as a line of the results. */
export interface MessageBatchResult {
  readonly custom_id: string;
  readonly result:
    | { readonly type: 'succeeded'; readonly message: unknown }
    | { readonly type: 'errored'; readonly error: MessageError }
    | { readonly type: 'canceled' }
    | { readonly type: 'expired' };
}

/** Whether a batch has ended, whatever its outcome. */
export function hasEnded({ status }: Pick<Batch, 'status'>): boolean {
  return !['validating', 'in_progress', 'finalizing', 'cancelling'].includes(status);
}

/** @param failures How the requests without a message failed, once the batch has ended. @param url The address of the batch. */
export function messageBatch(batch: Batch, failures: FailureCounts | undefined, url: string): MessageBatch {
  const { total = 0, completed = 0 } = batch.request_counts ?? {};
  const ended = batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: processingStatus(batch),
    request_counts: failures
      ? { processing: 0, succeeded: completed, ...failures }
      : { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    created_at: iso(batch.created_at),
    expires_at: iso(batch.expires_at ?? batch.created_at),
    ended_at: failures && ended != null ? iso(ended) : null,
    cancel_initiated_at: batch.cancelling_at == null ? null : iso(batch.cancelling_at),
    archived_at: null,
    results_url: failures ? `${url}/results` : null,
  };
}

function processingStatus(batch: Batch): MessageBatch['processing_status'] {
  if (hasEnded(batch)) return 'ended';
  return batch.status === 'cancelling' ? 'canceling' : 'in_progress';
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** The result in a line of an output or error file. */
export function messageBatchResult(line: string): MessageBatchResult {
  const parsed = parseJson(line);
  const { custom_id: id, response, error } = isRecord(parsed) ? parsed : {};
  const custom_id = String(id);
  if (isRecord(response)) {
    const { status_code: status, request_id: requestId, body } = response;
    if (status === 200) return { custom_id, result: { type: 'succeeded', message: body } };
    const failure = isRecord(body) ? body['error'] : undefined;
    return { custom_id, result: errored(failure, Number(status), String(requestId)) };
  }
  const code = isRecord(error) ? error['code'] : undefined;
  if (code === 'batch_expired') return { custom_id, result: { type: 'expired' } };
  if (code === 'batch_cancelled') return { custom_id, result: { type: 'canceled' } };
  return { custom_id, result: errored(error, 500, custom_id) };
}

function errored(error: unknown, status: number, requestId: string): MessageBatchResult['result'] {
  const { message, code, param } = isRecord(error) ? error : {};
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const body = { status, message: text(message) ?? '', code: text(code), param: text(param) };
  return { type: 'errored', error: messageErrorBody(body, requestId) };
}
