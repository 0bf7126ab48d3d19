/** Functions that the other process can call, by name. Arguments and results are JSON. */
export type Methods<Of> = { readonly [Name in keyof Of]: (argument: never) => unknown };

type Argument<Method> = Method extends (argument: infer Given) => unknown ? Given : never;
type Result<Method> = Method extends (argument: never) => infer Returned ? Awaited<Returned> : never;

/** Calls functions of another process. */
export interface Connection<Remote extends Methods<Remote>> {
  /** Resolves with the result. @throws an Error with the message of what the function threw, or when the process has exited. */
  call<Name extends keyof Remote & string>(name: Name, argument: Argument<Remote[Name]>): Promise<Result<Remote[Name]>>;
  /** Calls without waiting for the result. Calls arrive in their order. */
  notify<Name extends keyof Remote & string>(name: Name, argument: Argument<Remote[Name]>): void;
  /** Takes the messages that the other process sent, until the connection is closed. */
  receive(messages: readonly Message[]): void;
  /** Resolves when everything was handed to the operating system. */
  flush(): Promise<void>;
  /** Rejects what waits for results. */
  close(): void;
}

export type Message =
  | { readonly id?: number; readonly call: string; readonly argument: never }
  | { readonly id: number; readonly result?: never; readonly error?: string };

interface ConnectionInit {
  /** The functions of this process. */
  readonly methods: Readonly<Record<string, (argument: never) => unknown>>;
  /** Sends the messages to the other process. Throws or rejects when that process has exited. */
  readonly send: (messages: readonly Message[]) => Promise<void>;
  /** A message could not be sent. The connection is closed. */
  readonly onSendFailure: () => void;
}

interface PendingCall {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Messages of one turn of the event loop are sent together: each write to the pipe costs more than a message. */
export function createConnection<Remote extends Methods<Remote>>({
  methods,
  send,
  onSendFailure,
}: ConnectionInit): Connection<Remote> {
  const pendingCalls = new Map<number, PendingCall>();
  let outgoing: Message[] = [];
  let sending: Promise<void> = Promise.resolve();
  let lastId = 0;
  let isClosed = false;

  function sendOutgoing(): void {
    const messages = outgoing;
    outgoing = [];
    if (messages.length > 0 && !isClosed) sending = send(messages).catch(onFailure);
  }
  function enqueue(message: Message): void {
    if (outgoing.push(message) === 1) setImmediate(sendOutgoing);
  }
  function onFailure(): void {
    if (isClosed) return;
    close();
    onSendFailure();
  }
  function close(): void {
    isClosed = true;
    for (const { reject } of pendingCalls.values()) reject(closedError());
    pendingCalls.clear();
  }
  function answer(id: number | undefined, result: unknown): void {
    // JSON of the result; the caller knows its type.
    if (id !== undefined) enqueue({ id, result: result as never });
  }
  async function run({ id, call, argument }: Extract<Message, { call: string }>): Promise<void> {
    try {
      answer(id, await methods[call]?.(argument));
    } catch (error) {
      if (id !== undefined) enqueue({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    call(name, argument) {
      if (isClosed) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        pendingCalls.set(id, { resolve, reject });
        enqueue({ id, call: name, argument: argument as never });
      });
    },
    notify: (name, argument) => enqueue({ call: name, argument: argument as never }),
    receive(messages) {
      if (isClosed) return;
      for (const message of messages) {
        if ('call' in message) {
          void run(message);
          continue;
        }
        const pending = pendingCalls.get(message.id);
        pendingCalls.delete(message.id);
        if (message.error === undefined) pending?.resolve(message.result as never);
        else pending?.reject(new Error(message.error));
      }
    },
    async flush() {
      sendOutgoing();
      await sending;
    },
    close,
  };
}

function closedError(): Error {
  return new Error('The other server process has exited.');
}
