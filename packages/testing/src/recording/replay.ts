import { existsSync } from 'node:fs';
import { UnmatchedRequestError } from '../server/unmatched-request-error.ts';
import { readCassette } from './cassette.ts';
import type { Exchange, LazyTestRequest } from './cassette.ts';
import { differences } from './differences.ts';
import { bytesOf, playedResponse, recordedRequest } from './message.ts';
import { record } from './record.ts';
import type { RecordOptions, Recording } from './record.ts';
import { redacting } from './redact.ts';
import { startRecordingServer } from './recording-server.ts';
import type { RecordingServerOptions } from './recording-server.ts';

export interface ReplayOptions extends RecordingServerOptions {
  /** Path of a recording by `record`. */
  readonly file: string;
  /** Paths in requests that may differ, such as `body.seed` or `body.messages[0]`. */
  readonly ignore?: readonly string[];
  /** For requests that were not recorded: an error with the differences, or the response to the most similar request. Default `error`. */
  readonly onDrift?: 'error' | 'serve';
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
  const { exchanges } = await readCassette(file);
  const played = new Set<Exchange>();
  const drifts: string[] = [];

  function find(asked: LazyTestRequest): Exchange | undefined {
    const equal = exchanges.filter(({ request }) => differences(request, asked, ignore).length === 0);
    return equal.find((one) => !played.has(one)) ?? equal.at(-1);
  }
  async function handle(request: Request): Promise<Response> {
    const asked = await recordedRequest(request, await bytesOf(request), redact);
    let found = find(asked);
    if (!found) {
      const closest = closestTo(asked, exchanges, (one) => !played.has(one));
      const drift = describeDrift(asked, closest, ignore);
      drifts.push(drift);
      if (onDrift === 'error' || !closest) return driftedResponse(drift);
      found = closest;
    }
    played.add(found);
    return playedResponse(found.response);
  }
  const server = await startRecordingServer(options, handle);
  return {
    baseURL: server.baseURL,
    apiKey: 'recorded',
    fetch: server.fetch,
    drifts,
    get requests() {
      return server.requests();
    },
    assertAllReplayed() {
      const left = exchanges.filter((one) => !played.has(one));
      const problems = [...drifts, ...left.map(({ request }) => `${request.method} ${request.path} was not asked for`)];
      if (problems.length > 0) throw new UnmatchedRequestError(problems.join('\n'));
    },
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

/** Replays a recording if it exists, else records one. */
export async function recordOrReplay(options: RecordOptions & ReplayOptions): Promise<Recording> {
  return existsSync(options.file) ? replay(options) : record(options);
}

/** The exchange of the same endpoint with the fewest differences; unused ones first. */
function closestTo(
  asked: LazyTestRequest,
  exchanges: readonly Exchange[],
  isLeft: (one: Exchange) => boolean,
): Exchange | undefined {
  const alike = exchanges.filter(({ request }) => request.method === asked.method && request.path === asked.path);
  const left = alike.filter(isLeft);
  const ranked = (left.length > 0 ? left : alike).map((one) => ({ one, far: differences(one.request, asked).length }));
  return ranked.sort((a, b) => a.far - b.far)[0]?.one;
}

function describeDrift(asked: LazyTestRequest, closest: Exchange | undefined, ignore: readonly string[]): string {
  const what = `${asked.method} ${asked.path} was not recorded so`;
  if (!closest) return `${what}, nor anything like it.`;
  return [
    `${what}. The closest differs here:`,
    ...differences(closest.request, asked, ignore).map((line) => `  ${line}`),
  ].join('\n');
}

function driftedResponse(message: string): Response {
  const error = { message, type: 'request_drifted', param: null, code: 'request_drifted' };
  return Response.json({ error }, { status: 400, headers: { 'x-should-retry': 'false' } });
}
