import type { ChatCompletionAssistantMessageParam, ChatCompletionMessage, ToolChoice } from '@modelwire/schema/types';

/** Converts a generated message to a message of the next request. */
export function toMessageParam(message: ChatCompletionMessage): ChatCompletionAssistantMessageParam {
  const { audio, ...rest } = message;
  // Earlier audio is referenced by its ID only (API: assistant message).
  return { ...rest, ...(audio && { audio: { id: audio.id } }) };
}

/** The tool choice after the first tool calls: a forced choice would force calls for ever. */
export function relaxToolChoice(choice: ToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice === 'required' ? 'auto' : choice;
  if (choice.type !== 'allowed_tools') return 'auto';
  return { type: 'allowed_tools', allowed_tools: { ...choice.allowed_tools, mode: 'auto' } };
}
