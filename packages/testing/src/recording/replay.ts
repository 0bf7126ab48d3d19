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
  /** What `record` wrote. */
  readonly file: string;
  /** Paths in requests that may differ, such as `body.seed` or `body.messages[0]`. */
  readonly ignore?: readonly string[];
  /** A request that was not recorded so: an error that shows how it differs, or the answer to the one that is closest. Default `error`. */
  readonly onDrift?: 'error' | 'serve';
  /** The service's key, where requests hold it: it was taken out of them. */
  readonly apiKey?: string;
  /** As it was when it was recorded. */
  readonly redact?: (text: string) => string;
}

export interface Replay extends Recording {
  /** How requests differed from what was recorded. */
  readonly drifts: readonly string[];
  /** @throws {UnmatchedRequestError} when a request drifted, or what was recorded was not asked for. */
  assertAllReplayed(): void;
}

/** Answers what was recorded, each exchange once; the same request again gets the next of its kind, or else the last. */
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

/** The fewest differences among those to the same endpoint, of those that are left before others. */
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
