import { problem } from '../parsing/problem.ts';
import { quote } from '../parsing/message-text.ts';
import type { ChatCompletionAssistantMessageParam, ChatCompletionMessageParam } from '../types/requests.ts';
import type { Problem } from '../types/parts.ts';
import type { ChatRule } from './rule.ts';

const MESSAGES = 'Create chat completion: Message types';

/** Applies a check of one message to all messages of the conversation. */
function checkEachMessage(
  check: (message: ChatCompletionMessageParam, index: number) => Problem | undefined,
): ChatRule['check'] {
  return ({ messages }) => {
    let found: Problem | undefined;
    messages.some((message, index) => (found = check(message, index)));
    return found;
  };
}

/** Replies that are a refusal or audio have no content either, and can be sent back unchanged. */
const hasContent = ({ content, refusal, audio, tool_calls, function_call }: ChatCompletionAssistantMessageParam) =>
  typeof content === 'string' || Array.isArray(content) || !!refusal || !!audio || !!tool_calls || !!function_call;

function mentionsJson(message: ChatCompletionMessageParam): boolean {
  const { content } = message;
  if (typeof content === 'string') return /json/i.test(content);
  return content?.some((part) => part.type === 'text' && /json/i.test(part.text)) ?? false;
}

/**
 * Tool calls and tool messages must match, as with the hosted service: the tool messages directly after an assistant message answer all of its
 * calls, and nothing else.
 */
const toolCallsHaveResults: ChatRule['check'] = ({ messages }) => {
  if (!messages.some((message) => message.role === 'tool' || (message.role === 'assistant' && message.tool_calls))) {
    return undefined;
  }
  let unansweredCalls = new Map<string, number>();
  let callIds = new Set<string>();
  let assistantIndex = -1;
  const unansweredProblem = (): Problem | undefined => {
    const [first] = unansweredCalls;
    if (!first) return undefined;
    const [id, index] = first;
    return problem(
      'invalid_value',
      ['messages', assistantIndex, 'tool_calls', index, 'id'],
      `Tool call ${quote(id)} has no answer: a message of role 'tool' with this 'tool_call_id' must follow.`,
    );
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!callIds.has(message.tool_call_id)) {
        return problem(
          'invalid_value',
          ['messages', index, 'tool_call_id'],
          `No tool call ${quote(message.tool_call_id)}: a message of role 'tool' must follow the assistant message whose 'tool_calls' it answers.`,
        );
      }
      unansweredCalls.delete(message.tool_call_id);
      continue;
    }
    const found = unansweredProblem();
    if (found) return found;
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    unansweredCalls = new Map(calls.map((call, position) => [call.id, position]));
    callIds = new Set(unansweredCalls.keys());
    assistantIndex = index;
  }
  return unansweredProblem();
};

/** Rules within and between messages. */
export const messageRules: readonly ChatRule[] = [
  {
    name: 'an assistant message has content',
    section: MESSAGES,
    check: checkEachMessage((message, index) =>
      message.role === 'assistant' && !hasContent(message)
        ? problem(
            'missing_required_parameter',
            ['messages', index, 'content'],
            `Missing required parameter: 'messages[${index}].content'. An assistant message needs it unless 'tool_calls' or 'function_call' is given.`,
          )
        : undefined,
    ),
  },
  {
    name: 'assistant content is text parts, or exactly one refusal part',
    section: MESSAGES,
    check: checkEachMessage((message, index) => {
      if (message.role !== 'assistant' || typeof message.content !== 'object' || !message.content) return undefined;
      const refusal = message.content.findIndex((part) => part.type === 'refusal');
      return refusal === -1 || message.content.length === 1
        ? undefined
        : problem(
            'invalid_value',
            ['messages', index, 'content', refusal],
            `Invalid 'messages[${index}].content': a refusal part must be the only part.`,
          );
    }),
  },
  {
    name: 'a file part has exactly one of file_id and file_data',
    section: MESSAGES,
    check: checkEachMessage((message, index) => {
      if (message.role !== 'user' || typeof message.content === 'string') return undefined;
      for (const [position, part] of message.content.entries()) {
        if (part.type !== 'file') continue;
        const { file_id, file_data } = part.file;
        if ((file_id === undefined) === (file_data === undefined)) {
          const path = ['messages', index, 'content', position, 'file'];
          const reason = file_id === undefined ? 'neither was given' : 'both were given';
          const code = file_id === undefined ? 'missing_required_parameter' : 'invalid_value';
          return problem(code, path, `A file part needs exactly one of 'file_id' and 'file_data', but ${reason}.`);
        }
      }
      return undefined;
    }),
  },
  {
    name: 'each tool call has a tool message, and each tool message a tool call',
    section: MESSAGES,
    check: toolCallsHaveResults,
  },
  {
    name: 'json_object needs the word JSON in the conversation',
    section: 'Create chat completion: response_format',
    check: ({ response_format, messages }) =>
      response_format?.type === 'json_object' && !messages.some(mentionsJson)
        ? problem(
            'invalid_value',
            ['messages'],
            "'messages' must contain the word 'json' to use 'response_format' of type 'json_object'.",
          )
        : undefined,
  },
];
