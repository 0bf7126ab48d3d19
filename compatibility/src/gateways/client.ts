/** A server that the requests are sent to. */
export interface Target {
  readonly name: string;
  /** With the version prefix. */
  readonly baseURL: string;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  /** The JSON value of the body; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface StreamedReply {
  readonly status: number;
  /** The JSON values of the events. */
  readonly events: readonly unknown[];
  /** Whether the stream ended with `[DONE]`. */
  readonly isDone: boolean;
  /** What broke the connection, if it was broken. */
  readonly broken: string | undefined;
}

export interface Client {
  post(path: string, body: unknown): Promise<Reply>;
  /** `onEvent` is called with the number of events so far. */
  stream(path: string, body: unknown, onEvent?: (count: number) => void): Promise<StreamedReply>;
}

const timeoutMs = 180_000;

export function createClient({ baseURL, key }: Target): Client {
  const send = (path: string, body: unknown): Promise<Response> =>
    fetch(`${baseURL}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
  return {
    async post(path, body) {
      const response = await send(path, body);
      return { status: response.status, body: parse(await response.text()) };
    },
    async stream(path, body, onEvent) {
      const response = await send(path, body);
      const events: unknown[] = [];
      let isDone = false;
      let broken: string | undefined;
      try {
        for await (const data of eventData(response)) {
          if (data === '[DONE]') isDone = true;
          else events.push(parse(data));
          onEvent?.(events.length);
        }
      } catch (error) {
        broken = error instanceof Error ? error.message : 'unknown error';
      }
      return { status: response.status, events, isDone, broken };
    },
  };
}

async function* eventData({ body }: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
