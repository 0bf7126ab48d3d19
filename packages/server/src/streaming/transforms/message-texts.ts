import { toolInput, toolName } from '@modelwire/adapter-kit';
import type { ChatCompletionMessageParam } from '@modelwire/schema/types';

/**
 * All text of a message that reaches the model: its content, the participant's name, and of an assistant message its refusal and the names
 * and arguments of its calls. Images, audio and files are not text; the text of a file has become a text part by now.
 */
export function messageTexts(message: ChatCompletionMessageParam): string[] {
  const texts = contentTexts(message.content);
  if ('name' in message && message.name) texts.push(message.name);
  if (message.role !== 'assistant') return texts;
  if (message.refusal) texts.push(message.refusal);
  for (const call of message.tool_calls ?? []) texts.push(toolName(call), toolInput(call));
  if (message.function_call) texts.push(message.function_call.name, message.function_call.arguments);
  return texts;
}

function contentTexts(content: ChatCompletionMessageParam['content']): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'refusal' ? [part.refusal] : [];
  });
}
