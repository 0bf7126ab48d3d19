import { runTools } from '@modelwire/chat/tools';
import type { SchemaSource, StandardSchema } from '@modelwire/chat/tools';
import type {
  ChatClient,
  ChatCompletion,
  ChatCompletionCreateParamsBase,
  ChatCompletionMessageParam,
  ChatStreamEvent,
  ResponseFormat,
} from '@modelwire/client';
import type { App } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { requestMessages } from './conversation.ts';
import type { ChatFlags, ChatOptions } from './options.ts';
import { runnable } from './tools.ts';

/** Accepts every value: the reply is printed unchanged. */
const anything: StandardSchema = {
  '~standard': { version: 1, vendor: 'modelwire', validate: (value) => ({ value }) },
};

/** Receives a reply while it is streamed. */
export interface Listener {
  /** A piece of the text of the first choice. */
  text(delta: string): Promise<void>;
  refusal(delta: string): Promise<void>;
  chunk?(chunk: unknown): Promise<void>;
  /** Before a tool is run. */
  call(name: string, input: string): void;
  /** After the text of one step, before a tool is run. */
  pause(): Promise<void>;
}

export interface Reply {
  readonly completion: ChatCompletion;
  /** Messages to add to the conversation. */
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Whether the model requested tool calls in the last step that was allowed. */
  readonly reachedMaxSteps: boolean;
}

/** Requests a reply to the conversation, and runs the tools that the model calls. Rejects with a `ModelwireError`. */
export async function reply(
  { terminal }: App,
  { stream }: Pick<ChatFlags, 'stream'>,
  { chat, conversation, params, tools, maxSteps, approve }: ChatOptions,
  listener: Listener,
  signal: AbortSignal,
): Promise<Reply> {
  const { model } = conversation;
  const messages = requestMessages(conversation);
  if (tools.length === 0) {
    const completion = await replyOnce(chat, { ...params, model, messages }, stream, listener, signal);
    return { completion, messages: [messageOf(completion)], reachedMaxSteps: false };
  }
  const { response_format, ...rest } = params;
  const { cwd, env } = terminal;
  const run = runTools(
    chat,
    {
      ...rest,
      ...(response_format && { response_format: schemaSource(response_format) }),
      model,
      messages,
      tools: tools.map((tool) => runnable(tool, { cwd, env, approve })),
      stream,
    },
    { maxSteps, signal },
  );
  for await (const event of run) {
    if (event.type === 'delta') await forward(event.event, listener);
    else if (event.type === 'message' && !stream) await forwardCompletion(event.completion, listener);
    else if (event.type === 'tool_call') {
      await listener.pause();
      listener.call(event.call.name, inputOf(event.call));
    }
  }
  const result = await run.final();
  return {
    completion: result.completion,
    messages: result.messages.slice(messages.length),
    reachedMaxSteps: result.endReason !== 'completed',
  };
}

async function replyOnce(
  chat: ChatClient,
  body: Omit<ChatCompletionCreateParamsBase, 'stream'>,
  stream: boolean,
  listener: Listener,
  signal: AbortSignal,
): Promise<ChatCompletion> {
  if (stream) {
    const events = chat.completions.stream(body, { signal });
    for await (const event of events) await forward(event, listener);
    return events.final();
  }
  const completion = await chat.completions.create({ ...body, stream: false }, { signal });
  await forwardCompletion(completion, listener);
  return completion;
}

/** The schema is sent unchanged, and the reply is not parsed here. */
function schemaSource(format: ResponseFormat): SchemaSource {
  if (format.type !== 'json_schema') {
    throw usageError(`The response_format ${format.type} cannot be combined with --tool.`, 'Use --schema instead.');
  }
  const { name, description, schema = {}, strict } = format.json_schema;
  return {
    name,
    schema: anything,
    jsonSchema: schema,
    strict: strict === true,
    ...(description !== undefined && { description }),
  };
}

function inputOf(call: object): string {
  if ('input' in call && typeof call.input === 'string') return call.input;
  return 'arguments' in call ? JSON.stringify(call.arguments) : '';
}

async function forward(event: ChatStreamEvent, listener: Listener): Promise<void> {
  if (event.type === 'chunk') await listener.chunk?.(event.chunk);
  else if (event.type === 'content.delta' && event.choice === 0) await listener.text(event.delta);
  else if (event.type === 'refusal.delta' && event.choice === 0) await listener.refusal(event.delta);
}

async function forwardCompletion({ choices: [choice] }: ChatCompletion, listener: Listener): Promise<void> {
  const { content, refusal } = choice?.message ?? {};
  if (content) await listener.text(content);
  if (refusal) await listener.refusal(refusal);
}

/** The reply as a message of the next request. */
function messageOf({ choices: [choice] }: ChatCompletion): ChatCompletionMessageParam {
  const { content, refusal, tool_calls } = choice?.message ?? {};
  return {
    role: 'assistant',
    content: content ?? null,
    ...(refusal && { refusal }),
    ...(tool_calls && tool_calls.length > 0 && { tool_calls }),
  };
}
