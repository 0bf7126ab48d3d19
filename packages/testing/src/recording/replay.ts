import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { UnmatchedRequestError } from '../server/unmatched-request-error.ts';
import { readCassette, writeCassette } from './cassette.ts';
import type { Exchange, LazyTestRequest } from './cassette.ts';
import { differences } from './differences.ts';
import { bytesOf, replayedResponse, recordedRequest } from './message.ts';
import { createRecorder, record } from './record.ts';
import type { RecordOptions, Recording } from './record.ts';
import { redacting } from './redact.ts';
import { startRecordingServer } from './recording-server.ts';
import type { RecordingServerOptions } from './recording-server.ts';

export interface ReplayOptions extends RecordingServerOptions {
  /** Path of a recording by `record`. */
  readonly file: string;
  /** Paths in requests that may differ, such as `body.seed` or `body.messages[0]`. */
  readonly ignore?: readonly string[];
  /**
   * For requests that were not recorded: an error with the differences, the response to the most similar request, or that of the service at
   * `upstream`, which is recorded. Default `error`.
   */
  readonly onDrift?: 'error' | 'serve' | 'forward';
  /** The service for `forward`, with `/v1`. */
  readonly upstream?: string;
  /** The key of the service, if requests contain it: it was redacted in the recording. */
  readonly apiKey?: string;
  /** The same redaction as for the recording. */
  readonly redact?: (text: string) => string;
}

export interface Replay extends Recording {
  /** The differences of requests to the recording. */
  readonly drifts: readonly string[];
  /** @throws {UnmatchedRequestError} if a request differed, or a recorded exchange was not used. */
  assertAllReplayed(): void;
}

/** Replays a recording, each exchange once. A repeated request gets the next recorded response to it, or the last one again. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { file, ignore = [], onDrift = 'error' } = options;
  const redact = redacting(options.apiKey, options.redact);
  const { upstream = '', apiKey = '' } = options;
  if (onDrift === 'forward' && upstream === '') throw new TypeError("replay: onDrift 'forward' requires upstream");
  const isNew = onDrift === 'forward' && !existsSync(file);
  const cassette = isNew ? { upstream, exchanges: [] } : await readCassette(file);
  const { exchanges } = cassette;
  const byHash = Map.groupBy(exchanges, ({ request }) => requestHash(request));
  const recorder = createRecorder({ upstream, apiKey }, redact);
  const replayed = new Set<Exchange>();
  const drifts: string[] = [];

  function find(actual: LazyTestRequest): Exchange | undefined {
    const isEqual = ({ request }: Exchange): boolean => differences(request, actual, ignore).length === 0;
    const recorded = ignore.length === 0 ? byHash.get(requestHash(actual)) : exchanges.filter(isEqual);
    const equalExchanges = [...(recorded ?? []), ...recorder.exchanges().filter(isEqual)];
    return equalExchanges.find((exchange) => !replayed.has(exchange)) ?? equalExchanges.at(-1);
  }
  async function handle(request: Request): Promise<Response> {
    const bytes = await bytesOf(request);
    const actual = await recordedRequest(request, bytes, redact);
    let match = find(actual);
    if (!match && onDrift === 'forward') return recorder.forward(request, bytes, actual);
    if (!match) {
      const closest = closestTo(actual, exchanges, (exchange) => !replayed.has(exchange));
      const drift = describeDrift(actual, closest, ignore);
      drifts.push(drift);
      if (onDrift === 'error' || !closest) return driftedResponse(drift);
      match = closest;
    }
    replayed.add(match);
    return replayedResponse(match.response);
  }
  const server = await startRecordingServer(options, handle);
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await recorder.settled();
    await server.close();
    const forwarded = recorder.exchanges();
    if (forwarded.length > 0)
      await writeCassette(file, { upstream: redact(cassette.upstream), exchanges: [...exchanges, ...forwarded] });
  }
  return {
    baseURL: server.baseURL,
    apiKey: 'recorded',
    fetch: server.fetch,
    drifts,
    get requests() {
      return server.requests();
    },
    assertAllReplayed() {
      const unused = exchanges.filter((exchange) => !replayed.has(exchange));
      const problems = [
        ...drifts,
        ...unused.map(({ request }) => `${request.method} ${request.path} was not requested`),
      ];
      if (problems.length > 0) throw new UnmatchedRequestError(problems.join('\n'));
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** Equal for requests without differences, whatever the order of their fields. */
function requestHash(request: LazyTestRequest): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(request, sorted)).digest('hex');
}

/** Replays a recording if it exists, else records one. */
export async function recordOrReplay(options: RecordOptions & ReplayOptions): Promise<Recording> {
  return existsSync(options.file) ? replay(options) : record(options);
}

/** The exchange of the same endpoint with the fewest differences; unused ones first. */
function closestTo(
  actual: LazyTestRequest,
  exchanges: readonly Exchange[],
  isUnused: (exchange: Exchange) => boolean,
): Exchange | undefined {
  const candidates = exchanges.filter(
    ({ request }) => request.method === actual.method && request.path === actual.path,
  );
  const unused = candidates.filter(isUnused);
  const ranked = (unused.length > 0 ? unused : candidates).map((exchange) => ({
    exchange,
    differenceCount: differences(exchange.request, actual).length,
  }));
  return ranked.sort((a, b) => a.differenceCount - b.differenceCount)[0]?.exchange;
}

function describeDrift(actual: LazyTestRequest, closest: Exchange | undefined, ignore: readonly string[]): string {
  const summary = `${actual.method} ${actual.path} was not recorded`;
  if (!closest) return `${summary}, nor was any other request to this endpoint.`;
  return [
    `${summary}. The most similar recorded request differs in:`,
    ...differences(closest.request, actual, ignore).map((line) => `  ${line}`),
  ].join('\n');
}

function driftedResponse(message: string): Response {
  const error = { message, type: 'request_drifted', param: null, code: 'request_drifted' };
  return Response.json({ error }, { status: 400, headers: { 'x-should-retry': 'false' } });
}
