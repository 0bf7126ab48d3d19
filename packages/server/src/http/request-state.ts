import type { Principal, RequestObservation } from '@modelwire/ports';
import type { EndpointAccess, FormBody, JsonBody, Parsed, ParseOptions, TextFields } from '@modelwire/schema';
import { noFiles } from '../call.ts';
import type {
  BackgroundRun,
  BatchLine,
  Call,
  ClaimedStream,
  HttpRequest,
  InternalRequest,
  LogRecord,
  LostStream,
  ReceivedFile,
} from '../call.ts';
import type { ClientConnection } from '../limits/client-connection.ts';
import type { ByteReservation } from '../limits/byte-budget.ts';
import type { ServerContext } from '../context.ts';
import type { RequestError } from '../errors.ts';
import type { ResolvedServiceTier } from '../limits/tiered-queue.ts';
import type { ActiveSession } from '../sessions/sessions.ts';
import type { Reply, HttpResponse } from './reply.ts';

/** An endpoint: who may use it, how its query and body are read, and what it does. */
export interface Route<Body, Query> {
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
  /** The permission that the role of a key must include; `any` for endpoints that every key may use, `public` for those that need no key. */
  readonly access: EndpointAccess | 'public';
  /** Whether it takes an `Idempotency-Key`: for endpoints that create something. Default false. */
  readonly isIdempotent?: boolean;
  /** Prefix of the IDs of its streams, if they can be resumed. */
  readonly streamIdPrefix?: string | undefined;
  readonly parseQuery: (fields: TextFields, options: ParseOptions) => Parsed<Query>;
  /** Undefined where there is no JSON body. */
  readonly json?: Pick<JsonBody<Body>, 'parse'> | undefined;
  /** Undefined where there is no form. */
  readonly form?: FormBody<Body> | undefined;
  /** The body of an endpoint whose handler receives it itself. */
  readonly read?: (state: FormState) => Body;
  readonly handle: (call: Call<Body, Query>, server: ServerContext) => Reply | Promise<Reply>;
}

/** For endpoints that ignore the query. */
export const noQuery = () => ({ ok: true, value: undefined }) as const;

/** A request whose form is received. */
export type FormState = Pick<
  RequestState<unknown, unknown>,
  'request' | 'server' | 'client' | 'principal' | 'idempotencyKey' | 'form' | 'mayHaveCreated'
>;

/** The state of a request in the pipeline. Its stages fill it in; the handler receives it as its `Call`. */
export class RequestState<Body, Query> implements Call<Body, Query> {
  readonly startedAt = performance.now();
  readonly route: Route<Body, Query>;
  readonly server: ServerContext;
  readonly request: HttpRequest;
  readonly client: ClientConnection;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly header: HttpRequest['header'];
  readonly logRecord: LogRecord;
  readonly tier: ResolvedServiceTier | undefined;
  readonly batchLine: BatchLine | undefined;
  readonly background: BackgroundRun | undefined;
  readonly lostStream: LostStream | undefined;
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
  claimedStream: ClaimedStream | undefined = undefined;
  /** The form whose files are stored: they are released if the request fails. */
  form: { discard(): Promise<void> } | undefined = undefined;
  /** The handler of a creation without an idempotency key was called: the request must not be retried if its outcome is unknown. */
  mayHaveCreated = false;
  reply: Reply | undefined = undefined;
  response: HttpResponse | undefined = undefined;
  error: RequestError | undefined = undefined;

  /** Memory that is reserved for the body. Undefined for internal requests, whose bodies are accounted for elsewhere. */
  memory: ByteReservation | undefined = undefined;
  observation: RequestObservation | undefined = undefined;
  endInFlight: (() => void) | undefined = undefined;
  unregisterActiveRequest: (() => void) | undefined = undefined;

  constructor(
    route: Route<Body, Query>,
    server: ServerContext,
    request: HttpRequest,
    init: Pick<
      InternalRequest,
      'client' | 'tier' | 'batchLine' | 'background' | 'lostStream' | 'retryDelayOf' | 'logRecord'
    >,
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
    this.lostStream = init.lostStream;
    this.retryDelayOf = init.retryDelayOf;
    this.logRecord = {
      requestId: '',
      method: request.method,
      route: route.path,
      status: 0,
      durationMs: 0,
      ...init.logRecord,
    };
  }
}
