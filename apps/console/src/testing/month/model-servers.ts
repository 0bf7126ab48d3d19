import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, seedOf } from './random.ts';
import type { Exchange } from './applications.ts';

/** Requests with this word get no reply, so that a batch of them still runs when it is looked at. */
export const heldWord = 'photo';

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: unknown;
  readonly stream?: boolean;
  readonly max_completion_tokens?: number;
}

/** Speeds of the models, in milliseconds to the first token and for each token. */
const speeds: Readonly<Record<string, { readonly firstTokenMs: number; readonly tokenMs: number }>> = {
  'qwen3-32b': { firstTokenMs: 290, tokenMs: 17 },
  'mistral-small': { firstTokenMs: 130, tokenMs: 8 },
  'gpt-oss-120b': { firstTokenMs: 620, tokenMs: 24 },
};

export interface ModelServer {
  readonly baseURL: string;
  stop(): Promise<void>;
}

/** Model servers that reply as the traffic plans it, and let the time pass that a model would need. */
export interface ModelServers {
  start(models: readonly string[]): Promise<ModelServer>;
  /** What the model replies to a prompt. */
  expect(exchange: Exchange, toolName?: string): void;
  /** The error of all requests until it is undefined. */
  failWith(error: { readonly status: number; readonly message: string } | undefined): void;
  /** The client has received the first token. */
  readonly onFirstToken: () => void;
}

/** @param pass Lets milliseconds pass on the clocks of the server. */
export function createModelServers(pass: (ms: number) => Promise<void>): ModelServers {
  const exchanges = new Map<string, { readonly exchange: Exchange; readonly toolName: string | undefined }>();
  let failure: { readonly status: number; readonly message: string } | undefined;
  let firstToken = Promise.withResolvers<undefined>();

  async function reply(request: ChatRequest, response: ServerResponse): Promise<void> {
    if (failure) {
      await pass(2500);
      sendJson(response, failure.status, { error: { message: failure.message, type: 'server_error' } });
      return;
    }
    const prompt = textOf(request.messages.findLast(({ role }) => role === 'user')?.content);
    const planned = exchanges.get(prompt);
    const callsTool = planned?.toolName !== undefined && request.messages.at(-1)?.role === 'user' && request.tools;
    const call = callsTool ? planned.exchange.call : undefined;
    const text = call?.arguments ?? planned?.exchange.reply ?? fallbackReply(prompt);
    const random = createRandom(seedOf(prompt));
    const speed = speeds[request.model] ?? { firstTokenMs: 200, tokenMs: 15 };
    const usage = usageOf(request, text, random.next() < 0.7);
    const id = `chatcmpl-${random.integer(1e8, 1e9)}`;
    const send = (choice: object, more?: object): void => {
      const chunk = {
        id,
        object: 'chat.completion.chunk',
        created: 0,
        model: request.model,
        choices: [{ index: 0, ...choice }],
      };
      response.write(`data: ${JSON.stringify({ ...chunk, ...more })}\n\n`);
    };
    if (prompt.includes(heldWord)) return;
    const firstTokenMs = random.around(speed.firstTokenMs, 0.45);
    const generationMs = usage.completion_tokens * random.around(speed.tokenMs, 0.2);
    // Lines of a batch run at the same time: the clock would advance by the sum of their durations.
    if (request.stream !== true) {
      const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' };
      sendJson(response, 200, {
        id,
        object: 'chat.completion',
        created: 0,
        model: request.model,
        choices: [choice],
        usage,
      });
      return;
    }
    await pass(firstTokenMs);
    response.setHeader('content-type', 'text/event-stream');
    firstToken = Promise.withResolvers();
    const [head, rest] = [text.slice(0, 4), text.slice(4)];
    const toDelta = (part: string, isFirst: boolean): object =>
      call
        ? {
            tool_calls: [
              {
                index: 0,
                ...(isFirst && { id: `call_${random.integer(1e6, 1e7)}`, type: 'function' }),
                function: { ...(isFirst && { name: planned?.toolName }), arguments: part },
              },
            ],
          }
        : { content: part };
    send({ delta: { role: 'assistant', ...toDelta(head, true) }, finish_reason: null });
    // Otherwise, the time of the other tokens might pass before the server has read this one.
    await Promise.race([firstToken.promise, sleep(20)]);
    await pass(generationMs);
    send({ delta: toDelta(rest, false), finish_reason: null });
    send({ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }, { usage });
    response.end('data: [DONE]\n\n');
  }

  return {
    expect: (exchange, toolName) => void exchanges.set(exchange.prompt, { exchange, toolName }),
    failWith: (error) => void (failure = error),
    onFirstToken: () => firstToken.resolve(undefined),
    async start(models) {
      const server = createServer((request, response) => {
        if (request.url === '/v1/models') {
          sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
        } else void json(request).then((body) => reply(body as ChatRequest, response));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      return {
        baseURL: `http://127.0.0.1:${port}/v1`,
        async stop() {
          const closed = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closed;
        },
      };
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function fallbackReply(prompt: string): string {
  return prompt.startsWith('Classify')
    ? 'delivery'
    : 'Happy to help! What would you like to know about our coffee equipment?';
}

const tokensOf = (text: string): number => Math.ceil(text.length / 3.6);

function usageOf({ messages, tools }: ChatRequest, reply: string, isCached: boolean) {
  // Instructions and documents that a real application sends along.
  const common = 900 + tokensOf(JSON.stringify(tools ?? ''));
  const promptTokens = common + tokensOf(JSON.stringify(messages));
  const completionTokens = tokensOf(reply) + 12;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: isCached ? 896 : 0 },
  };
}
