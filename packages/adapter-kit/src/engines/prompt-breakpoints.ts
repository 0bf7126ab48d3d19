import type { ChatCompletionCreateParamsBase, ChatCompletionMessageParam } from '@modelwire/schema/types';

type Messages = readonly ChatCompletionMessageParam[];

/** Whether the prompt may be read from a cache and written to it: in explicit mode only with a breakpoint (API: `prompt_cache_options`). */
export function usesPromptCache({
  prompt_cache_options: options,
  messages,
}: {
  readonly prompt_cache_options?: ChatCompletionCreateParamsBase['prompt_cache_options'];
  readonly messages: Messages;
}): boolean {
  return options?.mode !== 'explicit' || messages.some(hasBreakpoint);
}

/** The messages up to the part that has the first breakpoint; undefined if there is none. */
export function messagesToFirstBreakpoint(
  messages: Messages,
): readonly Pick<Message, 'role' | 'content'>[] | undefined {
  const index = messages.findIndex(hasBreakpoint);
  const last = messages[index];
  if (!last) return undefined;
  const parts = partsOf(last);
  const end = parts.findIndex(isBreakpoint) + 1;
  return [...messages.slice(0, index), { role: last.role, content: parts.slice(0, end) }];
}

/** The messages without breakpoints; the same list if there are none. */
export function withoutBreakpoints(messages: Messages): Messages {
  return messages.some(hasBreakpoint) ? messages.map(withoutBreakpointsOf) : messages;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface Part {
  readonly prompt_cache_breakpoint?: unknown;
}

function withoutBreakpointsOf<Any extends Message>(message: Any): Any {
  if (!Array.isArray(message.content)) return message;
  const content = partsOf(message).map(({ prompt_cache_breakpoint: _, ...part }) => part);
  return { ...message, content };
}

function partsOf({ content }: Message): readonly Part[] {
  return Array.isArray(content) ? (content as readonly Part[]) : [];
}

function hasBreakpoint(message: Message): boolean {
  return partsOf(message).some(isBreakpoint);
}

function isBreakpoint({ prompt_cache_breakpoint: breakpoint }: Part): boolean {
  return breakpoint != null;
}
