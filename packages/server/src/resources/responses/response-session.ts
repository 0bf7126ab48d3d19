import { yieldToEventLoop } from '@modelwire/adapter-kit';
import type { ChunkWatch } from '@modelwire/adapter-kit/internal';
import type { ErrorObject } from '@modelwire/schema/types';
import { ClientConnection, clientDisconnected } from '../../limits/client-connection.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, bodyTooLarge, invalid, toRequestError } from '../../errors.ts';
import type { HttpRequest, InternalDispatch, Pipe } from '../../call.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import { watchBody } from '../../limits/body-timeouts.ts';
import { readCreateEvent } from './create-event.ts';
import { RecentResponse } from '../../limits/recent-response.ts';

/** Maximum number of messages that wait while a response is created. Then the socket is not read any further. */
const maxWaiting = 8;
/** Messages that may be refused in a row before the connection is closed. */
const maxRefusals = 20;

/** The part of a WebSocket that a session uses. */
export interface SessionSocket {
  send(text: string): void;
  /** Resolves when the client has received most of the data, or the connection has closed. */
  drained(): Promise<void>;
  /** Stops reading from the client. */
  pause(): void;
  resume(): void;
  /** Closes the connection after the pending data. `code` is a status code of RFC 6455. */
  close(code: number, reason: string): void;
  /** Closes the connection immediately. */
  terminate(): void;
}

/** The request that opened the connection. */
type Upgrade = Pick<HttpRequest, 'header' | 'headers'>;

interface Message {
  /** Undefined for a message of another kind than text. */
  readonly text: string | undefined;
  /** Memory that is reserved for it. */
  readonly memory: ByteReservation;
}

/**
 * One WebSocket connection to `/v1/responses`. Each message of the client, also an invalid one, is a request to create a response: it passes
 * the pipeline of every request, so that it counts against the rate limit and is logged. Responses are created sequentially, and each ends with exactly one of `response.completed`, `response.incomplete`, `response.failed` and `error`.
 */
export class ResponseSession {
  readonly #dispatch: InternalDispatch;
  readonly #upgrade: Upgrade;
  readonly #server: ServerContext;
  readonly #socket: SessionSocket;
  readonly #onClosed: () => void;
  readonly #recent: RecentResponse;
  readonly #waiting: Message[] = [];
  /** The message that is arriving, and control frames. */
  #receivedBytes = 0;
  #memory: ByteReservation;
  #messageWatch: ChunkWatch | undefined;
  #isRunning = false;
  #isPaused = false;
  /** The number of messages in a row that were refused. */
  #refusals = 0;
  #hasClosed = false;
  #disconnect: (() => void) | undefined;
  #ending: { readonly code: number; readonly error: RequestError } | undefined;

  /** @param dispatch Handles a request to create a response. @param upgrade The request that opened the connection: its key is used for each response. */
  constructor(init: {
    readonly dispatch: InternalDispatch;
    readonly upgrade: Upgrade;
    readonly server: ServerContext;
    readonly socket: SessionSocket;
    readonly onClosed: () => void;
  }) {
    this.#dispatch = init.dispatch;
    this.#upgrade = init.upgrade;
    this.#server = init.server;
    this.#memory = init.server.bodyMemory.reserve();
    this.#socket = init.socket;
    this.#onClosed = init.onClosed;
    this.#recent = new RecentResponse(init.server.responseMemory.reserve(), init.server.options.maxBodyBytes);
  }

  /** Bytes arrived, of messages or of control frames. Closes the connection when there is no memory for them, or they arrive too slowly. */
  receive(bytes: number): void {
    if (this.#hasClosed) return;
    if (!this.#memory.tryAcquire(bytes)) {
      this.#socket.close(1013, 'The server is overloaded. Try again later.');
      return;
    }
    this.#receivedBytes += bytes;
    this.#messageWatch ??= watchBody(this.#server.bodyTimeouts, () =>
      this.#socket.close(1008, 'The message arrived too slowly.'),
    );
    this.#messageWatch.receive(bytes);
    this.#messageWatch.resume();
  }

  /** Records that the last received bytes were a control frame of this length. */
  receiveControl(bytes: number): void {
    const length = Math.min(bytes, this.#receivedBytes);
    this.#receivedBytes -= length;
    this.#memory.release(length);
    if (this.#receivedBytes === 0) this.#endWatch();
  }

  /** A message has arrived in full. @param text Undefined for one of another kind than text. */
  message(text: string | undefined): void {
    this.#endWatch();
    this.#receivedBytes = 0;
    if (this.#hasClosed || this.#ending) {
      this.#memory.release();
      return;
    }
    this.#waiting.push({ text, memory: this.#memory });
    this.#memory = this.#server.bodyMemory.reserve();
    if (this.#waiting.length >= maxWaiting) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    if (!this.#isRunning) void this.#run();
  }

  /** Sends an error and closes the connection, when no response is being created. `code` is one of RFC 6455. */
  end(code: number, error: RequestError): void {
    this.#ending = { code, error };
    if (!this.#isRunning) this.#sendEnd();
  }

  #sendEnd(): void {
    if (!this.#ending) return;
    const { code, error } = this.#ending;
    this.#sendError(error.status, error);
    this.#socket.close(code, error.code);
  }

  /** The connection has closed. */
  closed(): void {
    if (this.#hasClosed) return;
    this.#hasClosed = true;
    this.#endWatch();
    for (const { memory } of this.#waiting.splice(0)) memory.release();
    this.#memory.release();
    this.#receivedBytes = 0;
    this.#recent.clear();
    this.#disconnect?.();
    this.#onClosed();
  }

  #endWatch(): void {
    this.#messageWatch?.end();
    this.#messageWatch = undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#socket.resume();
      }
      await this.#respond(message.text);
      message.memory.release();
      if (this.#refusals >= maxRefusals) {
        this.#ending ??= { code: 1008, error: tooManyErrors };
        // What the client has sent already is not read any more.
        this.#socket.pause();
      }
      if (this.#ending) break;
      // Many messages can arrive at once, and those that are refused take no time: other requests run in between.
      await yieldToEventLoop();
    }
    this.#isRunning = false;
    this.#sendEnd();
  }

  async #respond(message: string | undefined): Promise<void> {
    let previous: unknown;
    // Called by the pipeline after the rate limit.
    const body = async (): Promise<unknown> => {
      const { maxBodyBytes } = this.#server.options;
      if (message === undefined) throw invalid(null, 'A message must be text.', 'invalid_json');
      if (message.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
      const event = await readCreateEvent(message);
      previous = event.previousResponseId;
      return event.body;
    };
    try {
      if (await this.#create(body)) return;
    } catch (thrown) {
      const error = toRequestError(thrown);
      this.#sendError(error.status, error);
    }
    // After a failed turn, the response that it continued cannot be continued on this connection.
    if (typeof previous === 'string') this.#recent.clear(previous);
  }

  /** Creates a response and sends its events. Resolves to whether it was accepted. */
  async #create(body: () => unknown): Promise<boolean> {
    const client = new ClientConnection();
    this.#disconnect = () => client.abort(clientDisconnected());
    const { header, headers } = this.#upgrade;
    const from = { header, headers, recentResponse: this.#recent };
    const { status, error, events } = await this.#dispatch({ from, body, client });
    if (error) {
      this.#sendError(status, error);
      return false;
    }
    if (!events) throw new Error('the reply was no stream');
    this.#refusals = 0;
    await this.#sendEvents(events);
    this.#disconnect = undefined;
    if (!this.#recent.takeEnded() && !this.#hasClosed) throw new Error('the events ended without the last one');
    return true;
  }

  async #sendEvents(events: Pipe<string>): Promise<void> {
    events.onStall(() => this.#socket.terminate());
    const disconnect = this.#disconnect;
    this.#disconnect = () => {
      disconnect?.();
      events.cancel(clientDisconnected());
    };
    if (this.#hasClosed) this.#disconnect();
    for (let text = await events.next(); text !== undefined; text = await events.next()) {
      // Comments keep a connection alive by HTTP.
      for (const line of text.split('\n')) if (line.startsWith('{')) this.#send(line);
      await this.#socket.drained();
    }
  }

  #sendError(status: number, error: ErrorObject): void {
    if (status < 500) this.#refusals += 1;
    const { type, code, message, param } = error;
    // Clients expect a code.
    this.#send(JSON.stringify({ type: 'error', status, error: { type, code: code ?? type, message, param } }));
  }

  #send(text: string): void {
    if (!this.#hasClosed) this.#socket.send(text);
  }
}

const tooManyErrors = new RequestError(
  `${maxRefusals} messages in a row were refused. Correct them, and open a new connection.`,
  { status: 400, code: 'websocket_error_limit_reached' },
);
