import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ToolChoice,
} from '@modelwire/schema/types';
import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { flat } from '../events.ts';

/** Converts the deprecated `functions` and `function_call` to tools (API: Create chat completion). */
interface Tooling {
  readonly tools: readonly ChatCompletionTool[] | undefined;
  readonly tool_choice: ToolChoice | undefined;
  readonly parallel_tool_calls: boolean | undefined;
}

/** Whether a request uses functions, in its parameters or in its messages. */
export function hasFunctions({ functions, messages }: ChatCompletionCreateParams): boolean {
  if (functions !== undefined) return true;
  for (const message of messages) if (message.role === 'function' || functionCallOf(message)) return true;
  return false;
}

export function functionsAsTools({ functions, function_call: choice }: ChatCompletionCreateParams): Tooling {
  return {
    tools: functions?.map((definition) => ({ type: 'function', function: definition })),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: choice } : choice,
    // A message can contain one function call only.
    parallel_tool_calls: false,
  };
}

/** Converts deprecated calls to tool calls and their results to tool messages. Each result belongs to the last call of its name. */
export function messagesWithTools(
  messages: readonly ChatCompletionMessageParam[],
): readonly ChatCompletionMessageParam[] {
  /** Calls without a result: name to ID. */
  const waiting = new Map<string, string>();
  return messages.map((message, index) => {
    const call = functionCallOf(message);
    if (message.role === 'assistant' && call) {
      const { function_call, tool_calls = [], ...rest } = message;
      const id = `call_function_${index}`;
      waiting.set(call.name, id);
      return { ...rest, tool_calls: [...tool_calls, { id, type: 'function' as const, function: call }] };
    }
    if (message.role !== 'function') return message;
    const id = waiting.get(message.name) ?? `call_function_${index}`;
    waiting.delete(message.name);
    return { role: 'tool' as const, tool_call_id: id, content: message.content ?? '' };
  });
}

function functionCallOf(message: ChatCompletionMessageParam): ChatCompletionAssistantMessageParam['function_call'] {
  return message.role === 'assistant' ? message.function_call : undefined;
}

/** Converts tool calls of the engine to the deprecated function call: the first call of each choice. */
export async function* asFunctionCall(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const event of flat(events)) {
    if (event.type === 'tool_call') {
      if (event.index === 0)
        yield { type: 'function_call', choice: event.choice, name: event.name, text: '', tokens: 0 };
    } else if (event.type === 'tool_input') {
      const { choice, text, tokens = 1 } = event;
      if (event.index === 0) yield { type: 'function_call', choice, text, tokens };
    } else if (event.type === 'finish' && event.reason === 'tool_calls') yield { ...event, reason: 'function_call' };
    else yield event;
  }
}
