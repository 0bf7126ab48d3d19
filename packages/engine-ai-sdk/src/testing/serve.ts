import type { ChatCompletion, ChatCompletionChunk, ErrorBody } from '@modelwire/schema/types';
import { createServer } from '@modelwire/server';
import { createAiSdk } from '../ai-sdk.ts';
import type { AiSdkOptions } from '../options.ts';

/** The engine behind a server, called as clients call it. */
export interface ServedEngine {
  post(body: object): Promise<Response>;
  /** Sends a body to any path. */
  postTo(path: string, body: object): Promise<Response>;
  /** The completion; throws when the status is not 200. */
  complete(body: object): Promise<ChatCompletion>;
  /** The data events of a stream without `[DONE]`; an error event is the last one. */
  stream(body: object): Promise<readonly (ChatCompletionChunk & Partial<ErrorBody>)[]>;
  /** The same, and runs `then` when `afterText` has arrived. */
  streamWith(
    body: object,
    init: { readonly afterText: string; readonly then: () => void },
  ): Promise<readonly (ChatCompletionChunk & Partial<ErrorBody>)[]>;
  /** The error with its status and headers; throws when there is none. */
  refused(body: object): Promise<RefusedRequest>;
  close(): Promise<void>;
}

export type RefusedRequest = ErrorBody['error'] & { readonly status: number; readonly headers: Headers };

export function serveAiSdk(options: AiSdkOptions): ServedEngine {
  const server = createServer({ engines: [createAiSdk(options)], keys: 'open', report: () => undefined });
  const [first] = options.models;
  const model = first?.id ?? first?.model.modelId;
  const postTo = async (path: string, body: object): Promise<Response> =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const post = (body: object): Promise<Response> =>
    postTo('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }], ...body });
  return {
    post,
    postTo,
    async complete(body) {
      const response = await post(body);
      const answer: unknown = await response.json();
      if (response.status !== 200) throw new Error(JSON.stringify(answer));
      return answer as ChatCompletion;
    },
    async stream(body) {
      const response = await post({ ...body, stream: true });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      return dataEvents(text);
    },
    async streamWith(body, { afterText, then }) {
      const response = await post({ ...body, stream: true });
      let text = '';
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const hadText = text.includes(afterText);
        text += piece;
        if (!hadText && text.includes(afterText)) then();
      }
      return dataEvents(text);
    },
    async refused(body) {
      const response = await post(body);
      const { error } = (await response.json()) as ErrorBody;
      return { ...error, status: response.status, headers: response.headers };
    },
    close: () => server.close(0),
  };
}

function dataEvents(text: string): readonly ChatCompletionChunk[] {
  const data = text.split('\n\n').flatMap((event) => (event.startsWith('data: {') ? [event.slice(6)] : []));
  return data.map((item) => JSON.parse(item) as ChatCompletionChunk);
}

/** The text of a streamed reply. */
export function textOf(chunks: readonly ChatCompletionChunk[]): string {
  return chunks.map((chunk) => ('choices' in chunk ? (chunk.choices[0]?.delta.content ?? '') : '')).join('');
}
