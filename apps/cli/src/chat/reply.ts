import type {
  ChatClient,
  ChatCompletion,
  ChatCompletionCreateParamsBase,
  ChatCompletionMessageParam,
  ChatStreamEvent,
  ResponseFormat,
} from '@modelwire/chat';
import type { RunnableTool, SchemaSource, StandardSchema } from '@modelwire/chat/tools';
import { usageFailure } from '../failure.ts';
import type { ChatParams } from './request.ts';

/** Takes every value: for what is judged elsewhere. */
const anything: StandardSchema = {
  '~standard': { version: 1, vendor: 'modelwire', validate: (value) => ({ value }) },
};

/** One turn: what is asked, and how. */
export interface Turn {
  readonly model: string;
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly params: ChatParams;
  readonly tools: readonly RunnableTool[];
  readonly maxSteps: number;
  readonly stream: boolean;
}

/** Is told of a reply as it comes. */
export interface Listener {
  /** A piece of the first choice's text. */
  text(delta: string): Promise<void>;
  refusal(delta: string): Promise<void>;
  chunk?(chunk: unknown): Promise<void>;
  /** The model calls a tool, which is about to run. */
  call(name: string, input: string): void;
  /** Between two answers of a run of tools. */
  pause(): Promise<void>;
}

export interface Reply {
  readonly completion: ChatCompletion;
  /** What the turn adds to the conversation. */
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Tools were still called when the limit of steps was reached. */
  readonly cut: boolean;
}

/** Asks, runs the tools that the model calls, and tells what comes of it. Rejects with a `ModelwireError`. */
export async function reply(chat: ChatClient, turn: Turn, listener: Listener, signal: AbortSignal): Promise<Reply> {
  return turn.tools.length > 0 ? replyWithTools(chat, turn, listener, signal) : replyOnce(chat, turn, listener, signal);
}

async function replyOnce(chat: ChatClient, turn: Turn, listener: Listener, signal: AbortSignal): Promise<Reply> {
  const { model, messages, params, stream } = turn;
  const body: Omit<ChatCompletionCreateParamsBase, 'stream'> = { ...params, model, messages };
  let completion: ChatCompletion;
  if (stream) {
    const answer = chat.completions.stream(body, { signal });
    for await (const event of answer) await pass(event, listener);
    completion = await answer.final();
  } else {
    completion = await chat.completions.create({ ...body, stream: false }, { signal });
    await passWhole(completion, listener);
  }
  return { completion, messages: [messageOf(completion)], cut: false };
}

async function replyWithTools(chat: ChatClient, turn: Turn, listener: Listener, signal: AbortSignal): Promise<Reply> {
  const { runTools } = await import('@modelwire/chat/tools');
  const { model, messages, params, tools, maxSteps: steps, stream } = turn;
  const { response_format, ...rest } = params;
  const run = runTools(
    chat,
    {
      ...rest,
      ...(response_format && { response_format: schemaSource(response_format) }),
      model,
      messages,
      tools,
      stream,
    },
    { maxSteps: steps, signal },
  );
  for await (const event of run) {
    if (event.type === 'delta') await pass(event.event, listener);
    else if (event.type === 'message' && !stream) await passWhole(event.completion, listener);
    else if (event.type === 'tool_call') {
      await listener.pause();
      listener.call(event.call.name, inputOf(event.call));
    }
  }
  const result = await run.final();
  return {
    completion: result.completion,
    messages: result.messages.slice(messages.length),
    cut: result.ended !== 'answer',
  };
}

/** The schema is sent as it is; what comes is shown as it is, so nothing is read by it here. */
function schemaSource(format: ResponseFormat): SchemaSource {
  if (format.type !== 'json_schema') {
    throw usageFailure(`response_format ${format.type} and --tool do not go together`, 'Give a --schema instead.');
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

async function pass(event: ChatStreamEvent, listener: Listener): Promise<void> {
  if (event.type === 'chunk') await listener.chunk?.(event.chunk);
  else if (event.type === 'content.delta' && event.choice === 0) await listener.text(event.delta);
  else if (event.type === 'refusal.delta' && event.choice === 0) await listener.refusal(event.delta);
}

async function passWhole({ choices: [choice] }: ChatCompletion, listener: Listener): Promise<void> {
  const { content, refusal } = choice?.message ?? {};
  if (content) await listener.text(content);
  if (refusal) await listener.refusal(refusal);
}

/** An answer as the next request has it. */
function messageOf({ choices: [choice] }: ChatCompletion): ChatCompletionMessageParam {
  const { content, refusal, tool_calls } = choice?.message ?? {};
  return {
    role: 'assistant',
    content: content ?? null,
    ...(refusal && { refusal }),
    ...(tool_calls && tool_calls.length > 0 && { tool_calls }),
  };
}
