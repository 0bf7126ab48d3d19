import type { Principal, RequestObservation } from '@modelwire/ports';
import { noFiles } from '../call.ts';
import type { BackgroundRun, BatchLine, Call, InternalRequest, LogRecord, ReceivedFile } from '../call.ts';
import type { ClientConnection } from '../limits/client-connection.ts';
import type { ByteReservation } from '../limits/byte-budget.ts';
import type { ServerContext } from '../context.ts';
import type { RequestError } from '../errors.ts';
import type { ResolvedServiceTier } from '../limits/tiered-queue.ts';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';
import type { ActiveSession } from '../sessions/sessions.ts';
import type { Reply } from './reply.ts';
import type { ReceivedForm } from './forms/receive-form.ts';
import type { Route } from './route.ts';

/** The state of a request in the pipeline. Its stages fill it in; the handler receives it as its `Call`. */
export class RequestState<Body, Query> implements Call<Body, Query> {
  readonly startedAt = performance.now();
  readonly route: Route<Body, Query>;
  readonly server: ServerContext;
  readonly request: RequestAdapter;
  readonly client: ClientConnection;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly header: RequestAdapter['header'];
  readonly logRecord: LogRecord;
  readonly tier: ResolvedServiceTier | undefined;
  readonly batchLine: BatchLine | undefined;
  readonly background: BackgroundRun | undefined;
  /** Milliseconds until a request with this error is sent again. */
  readonly retryDelayOf: InternalRequest['retryDelayOf'];

  requestId = '';
  responseHeaders: Record<string, string> = {};
  /** Set when the request is authenticated; internal requests are created with one. */
  principal!: Principal;
  /** Set when the request is authenticated by a session of the console. */
  session: ActiveSession | undefined = undefined;
  /** Set when the request is parsed, like `body` and `files`. */
  query!: Query;
  body!: Body;
  files: ReadonlyMap<string, ReceivedFile> = noFiles;

  idempotencyKey: string | null = null;
  /** Identifies the body of a request with an idempotency key: its text, or a digest of its form. */
  bodyIdentity = '';
  form: Pick<ReceivedForm<Body>, 'discard'> | undefined = undefined;
  /** The handler of a creation without an idempotency key was called: the request must not be retried if its outcome is unknown. */
  mayHaveCreated = false;
  reply: Reply | undefined = undefined;
  response: ResponseInit | undefined = undefined;
  error: RequestError | undefined = undefined;

  /** Memory that is reserved for the body. Undefined for internal requests, whose bodies are accounted for elsewhere. */
  memory: ByteReservation | undefined = undefined;
  observation: RequestObservation | undefined = undefined;
  endInFlight: (() => void) | undefined = undefined;
  unregisterActiveRequest: (() => void) | undefined = undefined;

  constructor(
    route: Route<Body, Query>,
    server: ServerContext,
    request: RequestAdapter,
    init: Pick<InternalRequest, 'client' | 'tier' | 'batchLine' | 'background' | 'retryDelayOf' | 'logRecord'>,
  ) {
    this.route = route;
    this.server = server;
    this.request = request;
    this.client = init.client;
    this.method = request.method;
    this.params = request.params;
    this.header = request.header;
    this.tier = init.tier;
    this.batchLine = init.batchLine;
    this.background = init.background;
    this.retryDelayOf = init.retryDelayOf;
    this.logRecord = {
      requestId: '',
      method: request.method,
      route: route.path,
      status: 0,
      durationMs: 0,
      // Fields that many requests set later: most records have the same hidden class.
      traceId: undefined,
      keyId: undefined,
      project: undefined,
      model: undefined,
      streamed: undefined,
      upstream: undefined,
      usage: undefined,
      safetyIdentifier: undefined,
      ...init.logRecord,
    };
  }
}
