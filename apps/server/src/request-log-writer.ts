import type { RequestLogEntry } from '@modelwire/server';
import type { LogDestination } from './log-destination.ts';
import { copyBytes, writeCount, writeDigits, writeTenths, writeAscii } from './write-ascii.ts';

type CompletionUsage = NonNullable<RequestLogEntry['usage']>;

export type RequestLogLevel = 'info' | 'warn' | 'error';

const messages = { info: 'request', warn: 'slow request', error: 'request' } as const;

/** Lines are encoded in batches of at most this size. */
const maxPendingLines = 64;
/** The cache of templates is cleared when it has this size. */
const maxCachedTemplates = 1000;
/** Lines with longer text, such as a model name that a client made up, are written at once and not cached: clients could fill the memory. */
const maxPendingText = 2048;
/** Length of the request IDs that the server generates. */
const requestIdLength = 'req_'.length + 24;

/** Indexes of the values of one pending line in its section of `#numbers`. */
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
/** Maximum bytes of a line after its start, without rare fields. */
const maxTailBytes = 400;

/**
 * Writes the log lines of requests in the format of pino, without token details that are zero. pino itself would take a fifth of the time
 * of a request.
 *
 * When a request ends, usually only the numbers and the ID of its line are stored, in reused arrays. Lines are encoded in batches: encoding
 * each one when its request ends takes up to three times as long, because neither code nor data are then in the CPU caches.
 */
export class RequestLogWriter {
  readonly #destination: Omit<LogDestination, 'flush'>;
  readonly #worker: number | undefined;
  readonly #templates = new Map<string, LineTemplate>();
  #lastTemplate: LineTemplate | undefined = undefined;
  #pending = 0;
  readonly #pendingTemplates: LineTemplate[] = [];
  /** The rare fields of each pending line, as JSON members with a leading comma; empty if it has none. */
  readonly #rareFields: string[] = [];
  readonly #numbers = new Float64Array(maxPendingLines * numbersPerLine);
  readonly #ids = Array.from({ length: maxPendingLines }, () => Buffer.alloc(requestIdLength));
  /** Milliseconds to add to a time of `performance.now()` to get the time of `Date.now()`. */
  #clockOffset = -Infinity;

  /** @param worker The number of the worker process, for each line. Default: the server is a single process. */
  constructor(destination: Omit<LogDestination, 'flush'>, worker?: number) {
    this.#destination = destination;
    this.#worker = worker;
    destination.onBeforeWrite(() => this.#encodePending());
  }

  /** @param endedAt Time at which the request ended, in milliseconds on the clock of `performance.now()`. */
  write(level: RequestLogLevel, entry: RequestLogEntry, endedAt: number): void {
    const { requestId, usage } = entry;
    const template = this.#templateOf(level, entry);
    const rareFields = hasRareField(entry) ? rareFieldsOf(entry) : '';
    const isLong = template.isLong || rareFields.length > maxPendingText;
    if (isLong || requestId.length !== requestIdLength || hasRareDetail(usage) || entry.retryInMs !== undefined) {
      this.#destination.write(this.#lineOf(level, entry, endedAt));
      return;
    }
    const line = this.#pending;
    if (line === 0) this.#destination.scheduleFlush();
    this.#pendingTemplates[line] = template;
    this.#rareFields[line] = rareFields;
    // Request IDs consist of letters, digits and `_`, so they need no escaping. Copied now, while they are in the CPU caches.
    writeAscii(requestId, this.#ids[line] ?? nothing);
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
    if (this.#pending === maxPendingLines) this.#encodePending();
  }

  #templateOf(level: RequestLogLevel, entry: RequestLogEntry): LineTemplate {
    if (this.#lastTemplate?.matches(level, entry)) return this.#lastTemplate;
    const { model = '', keyId = '', status, route = '', upstream = '', streamed = false } = entry;
    // The other fields rarely differ where these do not.
    const key = `${model}\n${keyId}\n${status}\n${route}\n${upstream}\n${streamed}`;
    let template = this.#templates.get(key);
    if (!template?.matches(level, entry)) {
      template = new LineTemplate(level, entry, this.#worker);
      if (this.#templates.size >= maxCachedTemplates) this.#templates.clear();
      if (!template.isLong) this.#templates.set(key, template);
    }
    this.#lastTemplate = template;
    return template;
  }

  #encodePending(): void {
    const pending = this.#pending;
    if (pending === 0) return;
    this.#pending = 0;
    this.#updateClockOffset();
    for (let line = 0; line < pending; line++) {
      const template = this.#pendingTemplates[line];
      if (template) this.#encode(template, line);
    }
  }

  #encode(template: LineTemplate, line: number): void {
    const numbers = this.#numbers;
    const from = line * numbersPerLine;
    const time = this.#toEpochMs(numbers[from + endedAtIndex] ?? 0);
    const second = Math.floor(time / 1000);
    const start = template.startAt(second);
    const rareFields = this.#rareFields[line] ?? '';
    // UTF-8 has at most three bytes for each UTF-16 code unit.
    const into = this.#destination.reserve(start.length + maxTailBytes + 3 * rareFields.length);
    const { bytes } = into;
    let at = copyBytes(start, bytes, into.length);
    writeDigits(bytes, into.length + template.millisecondsIndex, 3, time - 1000 * second);
    copyBytes(this.#ids[line] ?? nothing, bytes, into.length + template.idIndex);
    at = writeTenths(bytes, at, numbers[from + durationIndex] ?? 0);
    if (template.hasUsage) {
      at = writeCount(bytes, copyBytes(usageStart, bytes, at), numbers[from + promptTokensIndex] ?? 0);
      at = writeCount(bytes, copyBytes(completionTokens, bytes, at), numbers[from + completionTokensIndex] ?? 0);
      at = writeCount(bytes, copyBytes(totalTokens, bytes, at), numbers[from + totalTokensIndex] ?? 0);
      at = writeDetail(bytes, at, cachedTokens, numbers[from + cachedTokensIndex] ?? 0);
      at = writeDetail(bytes, at, reasoningTokens, numbers[from + reasoningTokensIndex] ?? 0);
      at = copyBytes(objectEnd, bytes, at);
    }
    if (rareFields !== '') at += bytes.write(rareFields, at);
    into.length = copyBytes(template.end, bytes, at);
  }

  /**
   * Formats a line that is not encoded in a batch: it is long, its request ID has another length, its usage has rare details, or it has the
   * level `warn` although it is not slow.
   */
  #lineOf(level: RequestLogLevel, entry: RequestLogEntry, endedAt: number): string {
    this.#updateClockOffset();
    const time = new Date(this.#toEpochMs(endedAt)).toISOString();
    const fields = {
      ...{ level, time, worker: this.#worker, requestId: entry.requestId, ...sharedFieldsOf(entry) },
      durationMs: Math.round(entry.durationMs * 10) / 10,
      usage: entry.usage && withoutZeros(entry.usage),
    };
    const rareFields = hasRareField(entry) ? rareFieldsOf(entry) : '';
    // A failure that is retried has the level `warn`, like a slow request.
    const message = entry.retryInMs === undefined ? messages[level] : messages.error;
    return `${JSON.stringify(fields).slice(0, -1)}${rareFields},"msg":"${message}"}\n`;
  }

  /** Converts a time of `performance.now()` to milliseconds since the epoch. */
  #toEpochMs(at: number): number {
    return Math.floor(this.#clockOffset + at);
  }

  /**
   * Changes the offset only if it contradicts the clocks, such as after the system clock was set. `Date.now()` is rounded down: a new offset
   * for each batch would vary by up to 1 ms, and later lines could have earlier times.
   */
  #updateClockOffset(): void {
    const before = performance.now();
    const date = Date.now();
    const minOffset = date - performance.now();
    if (this.#clockOffset < minOffset || this.#clockOffset >= date + 1 - before) this.#clockOffset = minOffset;
  }
}

function sharedFieldsOf({ method, route, status, keyId, project, model, streamed, upstream }: RequestLogEntry) {
  return { method, route, status, keyId, project, model, streamed, upstream };
}

/**
 * The constant bytes of all lines with the same level, the same shared fields, and with or without `usage`, and the positions of their
 * variable parts.
 */
class LineTemplate {
  readonly hasUsage: boolean;
  readonly isLong: boolean;
  readonly end: Buffer;
  /** Positions of the placeholders in the bytes of `startAt`. */
  readonly millisecondsIndex: number;
  readonly idIndex: number;
  readonly #level: RequestLogLevel;
  readonly #worker: number | undefined;
  readonly #shared: ReturnType<typeof sharedFieldsOf>;
  #second = NaN;
  #start = nothing;

  constructor(level: RequestLogLevel, entry: RequestLogEntry, worker: number | undefined) {
    this.hasUsage = entry.usage !== undefined;
    this.#level = level;
    this.#worker = worker;
    this.#shared = sharedFieldsOf(entry);
    this.end = Buffer.from(`,"msg":"${messages[level]}"}\n`);
    const start = this.#format(0);
    this.isLong = start.length > maxPendingText;
    this.millisecondsIndex = start.indexOf('.') + 1;
    this.idIndex = start.indexOf('"requestId":"') + '"requestId":"'.length;
  }

  matches(level: RequestLogLevel, entry: RequestLogEntry): boolean {
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

  /** The bytes before the duration, for a request that ended in this second. The milliseconds and the request ID are placeholders. */
  startAt(second: number): Buffer {
    if (second !== this.#second) {
      this.#start = Buffer.from(this.#format(second));
      this.#second = second;
    }
    return this.#start;
  }

  #format(second: number): string {
    const time = new Date(1000 * second);
    const requestId = ' '.repeat(requestIdLength);
    const fields = { level: this.#level, time, worker: this.#worker, requestId, ...this.#shared, durationMs: 0 };
    return JSON.stringify(fields).slice(0, -'0}'.length);
  }
}

/** Whether an entry has fields other than the shared ones, its ID, its duration and its usage. */
function hasRareField(entry: RequestLogEntry): boolean {
  // Explicit property accesses are several times faster than a loop over property names.
  const rareValue =
    entry.traceId ??
    entry.path ??
    entry.upstreamFailure ??
    entry.safetyIdentifier ??
    entry.batch ??
    entry.response ??
    entry.video ??
    entry.retryInMs ??
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
  return copyBytes(objectEnd, bytes, writeCount(bytes, copyBytes(name, bytes, at), count));
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
  const counts = Object.entries(details).filter(([, count]) => count !== undefined && count !== 0);
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}
