import { contentText } from '@modelwire/adapter-kit';
import { invalid } from '@modelwire/ports';
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider';
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from '@modelwire/schema/types';
import { assistantContent, toolCallPart } from './assistant-content.ts';
import type { PromptInit } from './prompt-init.ts';
import { filePart } from './file-part.ts';

/**
 * The messages of a request as a prompt of the AI SDK.
 *
 * @throws RequestError 400 that names the message, for tool arguments that are not JSON, and for roles that the specification does not have.
 */
export function promptOf(messages: readonly ChatCompletionMessageParam[], init: PromptInit): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  const toolNames = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'developer':
      case 'system':
        prompt.push({ role: 'system', content: named(message.name, contentText(message.content)) });
        break;
      case 'user':
        prompt.push({ role: 'user', content: userContent(message) });
        break;
      case 'assistant':
        for (const call of message.tool_calls ?? []) toolNames.set(call.id, toolCallPart(call, path).toolName);
        prompt.push({ role: 'assistant', content: assistantContent(message, path, init) });
        break;
      case 'tool':
        addToolResult(prompt, {
          type: 'tool-result',
          toolCallId: message.tool_call_id,
          toolName: toolNames.get(message.tool_call_id) ?? message.name ?? message.tool_call_id,
          output: { type: 'text', value: contentText(message.content) },
        });
        break;
      case 'function':
        throw invalid(`${path}.role`, `Invalid '${path}.role': use a 'tool' message for the result of a call.`);
    }
  }
  return init.hasLeadingSystemOnly ? systemFirst(prompt) : prompt;
}

type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

/** Consecutive results are one message: providers want all results of a turn together. */
function addToolResult(prompt: LanguageModelV4Message[], result: ToolContent[number]): void {
  const last = prompt.at(-1);
  if (last?.role === 'tool') last.content.push(result);
  else prompt.push({ role: 'tool', content: [result] });
}

function systemFirst(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const isSystem = ({ role }: LanguageModelV4Message): boolean => role === 'system';
  return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))];
}

function userContent({ content, name }: ChatCompletionUserMessageParam): UserParts {
  if (typeof content === 'string') return [{ type: 'text', text: named(name, content) }];
  const parts = content.map(userPart);
  return name === undefined ? parts : [{ type: 'text', text: `${name}:` }, ...parts];
}

type UserParts = (LanguageModelV4TextPart | LanguageModelV4FilePart)[];

function userPart(part: ChatCompletionContentPart): UserParts[number] {
  return part.type === 'text' ? { type: 'text', text: part.text } : filePart(part);
}

/** The specification has no names of participants: they are written before the text. */
function named(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}: ${text}`;
}
