/** Sends a request to a server at this URL, with these headers, and resolves when the client has received all of the response. */
type Send = (url: string, headers: Readonly<Record<string, string>>) => Promise<void>;

export interface TracedRequest {
  readonly name: string;
  /** Whether the worker has to run. */
  readonly worker: boolean;
  /** Creates what the request needs, before it is traced. */
  readonly prepare: (url: string, headers: Readonly<Record<string, string>>) => Promise<Send>;
}

const model = 'simulator';
const chat = { model, messages: [{ role: 'user', content: 'Say hello.' }] };

export const requests: readonly TracedRequest[] = [
  {
    name: 'streamed chat',
    worker: false,
    prepare: async () => postJson('/v1/chat/completions', { ...chat, stream: true }),
  },
  {
    name: 'stored completion',
    worker: false,
    prepare: async () => postJson('/v1/chat/completions', { ...chat, store: true }),
  },
  {
    name: 'upload part',
    worker: false,
    async prepare(url, headers) {
      const upload = { filename: 'file.txt', purpose: 'user_data', bytes: 5, mime_type: 'text/plain' };
      const id = await idOf(await post(`${url}/v1/uploads`, headers, json(upload)));
      return async (at, sent) => {
        const form = new FormData();
        form.set('data', new Blob(['hello']));
        await post(`${at}/v1/uploads/${id}/parts`, sent, { body: form });
      };
    },
  },
  {
    name: 'batch line, with its whole batch',
    worker: true,
    async prepare(url, headers) {
      const line = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body: chat };
      const form = new FormData();
      form.set('purpose', 'batch');
      form.set('file', new Blob([JSON.stringify(line)]), 'input.jsonl');
      const input = await idOf(await post(`${url}/v1/files`, headers, { body: form }));
      return postJson('/v1/batches', { input_file_id: input, endpoint: line.url, completion_window: '24h' });
    },
  },
];

interface Body {
  readonly body: string | FormData;
  readonly type?: string;
}

const json = (body: object): Body => ({ body: JSON.stringify(body), type: 'application/json' });

function postJson(path: string, body: object): Send {
  return async (url, headers) => {
    await post(url + path, headers, json(body));
  };
}

async function post(url: string, headers: Readonly<Record<string, string>>, { body, type }: Body): Promise<string> {
  const init = { ...headers, ...(type !== undefined && { 'content-type': type }) };
  const response = await fetch(url, { method: 'POST', headers: init, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
  return text;
}

async function idOf(text: string): Promise<string> {
  return (JSON.parse(text) as { readonly id: string }).id;
}
