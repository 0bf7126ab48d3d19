import type { ChatCompletionAssistantMessageParam, ChatCompletionMessage, ToolChoice } from '@modelwire/schema/types';

/** A generated message as the next request has it. */
export function messageParam(message: ChatCompletionMessage): ChatCompletionAssistantMessageParam {
  const { audio, ...rest } = message;
  // Earlier audio is named by its id alone (interface: assistant message).
  return { ...rest, ...(audio && { audio: { id: audio.id } }) };
}

/** The choice once tools were called: what forces calls would force them for ever. */
export function looserChoice(choice: ToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice === 'required' ? 'auto' : choice;
  if (choice.type !== 'allowed_tools') return 'auto';
  return { type: 'allowed_tools', allowed_tools: { ...choice.allowed_tools, mode: 'auto' } };
}
