import type { RequestLogEntry } from '@modelwire/server';
import type { LogDestination } from './log-destination.ts';
import { copy, writeCount, writeDigits, writeTenths, writeText } from './write-ascii.ts';

type CompletionUsage = NonNullable<RequestLogEntry['usage']>;

export type RequestLineLevel = 'info' | 'warn' | 'error';

const messages = { info: 'request', warn: 'slow request', error: 'request' } as const;

/** Lines that are encoded together. */
const maxPending = 64;
/** Kinds that are kept. */
const maxKinds = 1000;
/** The request IDs of the server have this length. */
const idLength = 'req_'.length + 24;

/** The positions of the numbers of a pending line in its part of the array. */
const endedAtIndex = 0;
const durationIndex = 1;
const promptTokensIndex = 2;
const completionTokensIndex = 3;
const totalTokensIndex = 4;
const cachedTokensIndex = 5;
const reasoningTokensIndex = 6;
const numbersPerLine = 7;

const usageStart = Buffer.from(',"usage":{"prompt_tokens":');
const completionTokens = Buffer.from(',"completion_tokens":');
const totalTokens = Buffer.from(',"total_tokens":');
const cachedTokens = Buffer.from(',"prompt_tokens_details":{"cached_tokens":');
const reasoningTokens = Buffer.from(',"completion_tokens_details":{"reasoning_tokens":');
const objectEnd = Buffer.from('}');
const nothing = Buffer.alloc(0);
/** Bytes after the start of a line, without its rare fields, at most. */
const maxRestBytes = 400;

/**
 * Writes the log lines of requests: the JSON that pino writes, but without the details of usage that are zero. The logger would take a
 * fifth of the time of a request.
 *
 * When a request ends, usually only the numbers and the ID of its line are kept, in arrays that are used again. Lines are encoded many at
 * a time: a single one would find neither its code nor its data in the caches of the processor, and take three times as long.
 */
export class RequestLines {
  readonly #destination: Omit<LogDestination, 'flush'>;
  readonly #worker: number | undefined;
  readonly #kinds = new Map<string, LineKind>();
  #lastKind: LineKind | undefined = undefined;
  #pending = 0;
  readonly #pendingKinds: LineKind[] = [];
  /** The rare fields of pending lines as JSON, each after a comma. */
  readonly #rareFields: string[] = [];
  readonly #numbers = new Float64Array(maxPending * numbersPerLine);
  readonly #ids = Array.from({ length: maxPending }, () => Buffer.alloc(idLength));
  /** The difference between the times of `Date.now()` and of `performance.now()`. */
  #clockOffset = -Infinity;

  /** @param worker The number of the worker process, for each line. Default: the server is a single process. */
  constructor(destination: Omit<LogDestination, 'flush'>, worker?: number) {
    this.#destination = destination;
    this.#worker = worker;
    destination.onBeforeWrite(() => this.#encodePending());
  }

  /** @param endedAt In milliseconds, as `performance.now()`. */
  write(level: RequestLineLevel, entry: RequestLogEntry, endedAt: number): void {
    const { requestId, usage } = entry;
    if (requestId.length !== idLength || hasRareDetail(usage)) {
      this.#destination.write(this.#lineOf(level, entry, endedAt));
      return;
    }
    const line = this.#pending;
    if (line === 0) this.#destination.scheduleFlush();
    this.#pendingKinds[line] = this.#kindOf(level, entry);
    this.#rareFields[line] = hasRareField(entry) ? rareFieldsOf(entry) : '';
    // Now, while the characters are in the caches of the processor.
    writeText(requestId, this.#ids[line] ?? nothing);
    const numbers = this.#numbers;
    const at = line * numbersPerLine;
    numbers[at + endedAtIndex] = endedAt;
    numbers[at + durationIndex] = entry.durationMs;
    if (usage) {
      numbers[at + promptTokensIndex] = usage.prompt_tokens;
      numbers[at + completionTokensIndex] = usage.completion_tokens;
      numbers[at + totalTokensIndex] = usage.total_tokens;
      numbers[at + cachedTokensIndex] = usage.prompt_tokens_details?.cached_tokens ?? 0;
      numbers[at + reasoningTokensIndex] = usage.completion_tokens_details?.reasoning_tokens ?? 0;
    }
    this.#pending = line + 1;
    if (this.#pending === maxPending) this.#encodePending();
  }

  #kindOf(level: RequestLineLevel, entry: RequestLogEntry): LineKind {
    if (this.#lastKind?.matches(level, entry)) return this.#lastKind;
    const { model = '', keyId = '', status, route = '', upstream = '' } = entry;
    // The other fields rarely differ where these do not.
    const key = `${model}\n${keyId}\n${status}\n${route}\n${upstream}`;
    let kind = this.#kinds.get(key);
    if (!kind?.matches(level, entry)) {
      kind = new LineKind(level, entry, this.#worker);
      if (this.#kinds.size >= maxKinds) this.#kinds.clear();
      this.#kinds.set(key, kind);
    }
    this.#lastKind = kind;
    return kind;
  }

  #encodePending(): void {
    const pending = this.#pending;
    if (pending === 0) return;
    this.#pending = 0;
    this.#updateClockOffset();
    for (let line = 0; line < pending; line++) {
      const kind = this.#pendingKinds[line];
      if (kind) this.#encode(kind, line);
    }
  }

  #encode(kind: LineKind, line: number): void {
    const numbers = this.#numbers;
    const from = line * numbersPerLine;
    const time = this.#timeOf(numbers[from + endedAtIndex] ?? 0);
    const second = Math.floor(time / 1000);
    const start = kind.startAt(second);
    const rareFields = this.#rareFields[line] ?? '';
    // UTF-8 has at most three bytes for each UTF-16 code unit.
    const into = this.#destination.reserve(start.length + maxRestBytes + 3 * rareFields.length);
    const { bytes } = into;
    let at = copy(start, bytes, into.length);
    writeDigits(bytes, into.length + kind.millisecondsIndex, 3, time - 1000 * second);
    copy(this.#ids[line] ?? nothing, bytes, into.length + kind.idIndex);
    at = writeTenths(bytes, at, numbers[from + durationIndex] ?? 0);
    if (kind.hasUsage) {
      at = writeCount(bytes, copy(usageStart, bytes, at), numbers[from + promptTokensIndex] ?? 0);
      at = writeCount(bytes, copy(completionTokens, bytes, at), numbers[from + completionTokensIndex] ?? 0);
      at = writeCount(bytes, copy(totalTokens, bytes, at), numbers[from + totalTokensIndex] ?? 0);
      at = writeDetail(bytes, at, cachedTokens, numbers[from + cachedTokensIndex] ?? 0);
      at = writeDetail(bytes, at, reasoningTokens, numbers[from + reasoningTokensIndex] ?? 0);
      at = copy(objectEnd, bytes, at);
    }
    if (rareFields !== '') at += bytes.write(rareFields, at);
    into.length = copy(kind.end, bytes, at);
  }

  /** The line of an entry with details of usage, or an ID, that few entries have. */
  #lineOf(level: RequestLineLevel, entry: RequestLogEntry, endedAt: number): string {
    this.#updateClockOffset();
    const time = new Date(this.#timeOf(endedAt)).toISOString();
    const fields = {
      ...{ level, time, worker: this.#worker, requestId: entry.requestId, ...sharedFieldsOf(entry) },
      durationMs: Math.round(entry.durationMs * 10) / 10,
      usage: entry.usage && withoutZeros(entry.usage),
    };
    const rareFields = hasRareField(entry) ? rareFieldsOf(entry) : '';
    return `${JSON.stringify(fields).slice(0, -1)}${rareFields},"msg":"${messages[level]}"}\n`;
  }

  /** The milliseconds of `Date.now()` at a time of `performance.now()`. */
  #timeOf(at: number): number {
    return Math.floor(this.#clockOffset + at);
  }

  /** Changes the offset only if it is wrong, so that the times of lines do not go back: `Date.now()` is rounded down. */
  #updateClockOffset(): void {
    const before = performance.now();
    const date = Date.now();
    const atLeast = date - performance.now();
    if (this.#clockOffset < atLeast || this.#clockOffset >= date + 1 - before) this.#clockOffset = atLeast;
  }
}

function sharedFieldsOf({ method, route, status, keyId, project, model, streamed, upstream }: RequestLogEntry) {
  return { method, route, status, keyId, project, model, streamed, upstream };
}

/** The lines with the same level and the same values in the fields that most lines share with others. */
class LineKind {
  readonly hasUsage: boolean;
  readonly end: Buffer;
  /** Positions in the start of a line. */
  readonly millisecondsIndex: number;
  readonly idIndex: number;
  readonly #level: RequestLineLevel;
  readonly #worker: number | undefined;
  readonly #shared: ReturnType<typeof sharedFieldsOf>;
  #second = NaN;
  #start = nothing;

  constructor(level: RequestLineLevel, entry: RequestLogEntry, worker: number | undefined) {
    this.hasUsage = entry.usage !== undefined;
    this.#level = level;
    this.#worker = worker;
    this.#shared = sharedFieldsOf(entry);
    this.end = Buffer.from(`,"msg":"${messages[level]}"}\n`);
    const start = this.#format(0);
    this.millisecondsIndex = start.indexOf('.') + 1;
    this.idIndex = start.indexOf('"requestId":"') + '"requestId":"'.length;
  }

  matches(level: RequestLineLevel, entry: RequestLogEntry): boolean {
    const shared = this.#shared;
    return (
      entry.model === shared.model &&
      entry.keyId === shared.keyId &&
      entry.status === shared.status &&
      entry.route === shared.route &&
      entry.method === shared.method &&
      entry.streamed === shared.streamed &&
      entry.upstream === shared.upstream &&
      entry.project === shared.project &&
      (entry.usage !== undefined) === this.hasUsage &&
      level === this.#level
    );
  }

  /** The bytes of a line that ended in this second, up to its duration. The milliseconds and the ID are not set. */
  startAt(second: number): Buffer {
    if (second !== this.#second) {
      this.#start = Buffer.from(this.#format(second));
      this.#second = second;
    }
    return this.#start;
  }

  #format(second: number): string {
    const time = new Date(1000 * second);
    const requestId = ' '.repeat(idLength);
    const fields = { level: this.#level, time, worker: this.#worker, requestId, ...this.#shared, durationMs: 0 };
    return JSON.stringify(fields).slice(0, -'0}'.length);
  }
}

/** Whether a line has other fields than those that it shares with others, its ID and its numbers. */
function hasRareField(entry: RequestLogEntry): boolean {
  // Property accesses that are written out are several times as fast as by the names of a list.
  const rareValue =
    entry.traceId ??
    entry.path ??
    entry.upstreamFailure ??
    entry.safetyIdentifier ??
    entry.batch ??
    entry.flagged ??
    entry.unsupportedTools ??
    entry.budgetWarnings ??
    entry.queuedMs ??
    entry.usageIsEstimated ??
    entry.error ??
    entry.outage ??
    entry.aborted ??
    entry.trace;
  return rareValue !== undefined;
}

/** The rare fields of an entry that has at least one, as JSON. */
function rareFieldsOf(entry: RequestLogEntry): string {
  const { requestId, method, route, status, durationMs, keyId, project, model, streamed, upstream, usage, ...rare } =
    entry;
  return `,${JSON.stringify(rare).slice(1, -1)}`;
}

function hasRareDetail(usage: CompletionUsage | undefined): boolean {
  const completion = usage?.completion_tokens_details;
  const rareCount =
    usage?.prompt_tokens_details?.audio_tokens ||
    completion?.audio_tokens ||
    completion?.accepted_prediction_tokens ||
    completion?.rejected_prediction_tokens;
  return rareCount !== undefined && rareCount !== 0;
}

function writeDetail(bytes: Buffer, at: number, name: Buffer, count: number): number {
  if (count === 0) return at;
  return copy(objectEnd, bytes, writeCount(bytes, copy(name, bytes, at), count));
}

function withoutZeros({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  prompt_tokens_details: prompt,
  completion_tokens_details: completion,
}: CompletionUsage): object {
  const promptDetails = { cached_tokens: prompt?.cached_tokens, audio_tokens: prompt?.audio_tokens };
  const completionDetails = {
    reasoning_tokens: completion?.reasoning_tokens,
    audio_tokens: completion?.audio_tokens,
    accepted_prediction_tokens: completion?.accepted_prediction_tokens,
    rejected_prediction_tokens: completion?.rejected_prediction_tokens,
  };
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    prompt_tokens_details: nonZero(promptDetails),
    completion_tokens_details: nonZero(completionDetails),
  };
}

function nonZero(details: Readonly<Record<string, number | undefined>>): object | undefined {
  const counts = Object.entries(details).filter(([, count]) => count);
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}
