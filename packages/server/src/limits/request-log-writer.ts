import { toCount } from '@modelwire/adapter-kit/internal';
import type { RequestRecord, RequestLogStore } from '@modelwire/ports';
import type { RequestLogEntry } from '../request-log.ts';
import { createBufferedWriter } from './buffered-writer.ts';

/** What the log record of a request does not say. */
interface EndedRequest extends Pick<RequestRecord, 'endpoint' | 'keyId' | 'project' | 'model'> {
  /** When it ended, in Unix seconds. */
  readonly at: number;
  readonly isError: boolean;
  /** In millionths of the currency; undefined where there is none. */
  readonly cost: number | undefined;
}

/** Writes requests to the request log of the stores at intervals: a crash loses those since the last one. */
export interface RequestLogWriter {
  add(record: RequestLogEntry, ended: EndedRequest): void;
  /** Writes what is pending. */
  flush(): Promise<void>;
}

/** The writer of a server that does not log requests. */
export const noRequestLogWriter: RequestLogWriter = { add: () => undefined, flush: () => Promise.resolve() };

interface RequestLogWriterInit {
  readonly store: Pick<RequestLogStore, 'append'>;
  /** Of the price table. */
  readonly currency: string;
  readonly report: (what: string, error: unknown) => void;
}

const intervalMs = 1000;
/** While more requests wait to be written, because the stores are slow or unavailable, further ones are left out. */
const maxPending = 10_000;

export function createRequestLogWriter({ store, currency, report }: RequestLogWriterInit): RequestLogWriter {
  let pending = 0;
  let omitted = 0;
  const writer = createBufferedWriter<RequestRecord>({
    keyOf: ({ id }) => id,
    merge: (existing) => existing,
    async write(requests) {
      await store.append(requests);
      pending -= requests.length;
      if (omitted > 0)
        report(`${omitted} requests are missing from the request log`, new Error('too many were pending'));
      omitted = 0;
    },
    intervalMs,
    onError: (error) => report('the request log was not written', error),
    onDrop({ id }, error) {
      pending -= 1;
      report(`the request ${id} is missing in the request log`, error);
    },
  });
  return {
    add(record, ended) {
      if (pending >= maxPending) {
        omitted += 1;
        return;
      }
      pending += 1;
      writer.add({ ...requestRecord(record, ended), currency: ended.cost === undefined ? null : currency });
    },
    flush: () => writer.flush(),
  };
}

function requestRecord(
  record: RequestLogEntry,
  { at, isError, cost, ...ended }: EndedRequest,
): Omit<RequestRecord, 'currency'> {
  const { usage, firstTokenMs } = record;
  return {
    ...ended,
    id: record.requestId,
    created: Math.floor(at - record.durationMs / 1000),
    outcome: record.aborted === true ? 'aborted' : isError ? 'failed' : 'succeeded',
    status: record.status,
    error: record.error ?? null,
    isStreamed: record.streamed === true,
    durationMs: Math.round(record.durationMs),
    firstTokenMs: firstTokenMs === undefined ? null : Math.round(firstTokenMs),
    inputTokens: usage === undefined ? null : toCount(usage.prompt_tokens),
    outputTokens: usage === undefined ? null : toCount(usage.completion_tokens),
    cachedTokens: usage === undefined ? null : toCount(usage.prompt_tokens_details?.cached_tokens ?? 0),
    costMicros: cost === undefined ? null : toCount(cost),
    response: record.response ?? null,
    batch: record.batch ?? null,
  };
}
