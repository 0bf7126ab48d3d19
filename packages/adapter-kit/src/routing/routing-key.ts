import { hash } from 'node:crypto';
import type { EngineContext } from '@modelwire/ports';
import { valueStart } from '../json/value-start.ts';
import { messagesToFirstBreakpoint } from '../engines/prompt-breakpoints.ts';
import { hashText } from './rendezvous.ts';

type Keyed = Pick<EngineContext, 'project' | 'conversation' | 'requestBody'>;

/**
 * The hash of what the turns of a conversation have in common: `prompt_cache_key`, the ID of the conversation, the prompt up to its first
 * breakpoint (API: `prompt_cache_breakpoint`), or how it starts, which includes the messages of the responses that it continues. System and user messages count separately, so that a long system
 * message does not give all conversations the same key.
 *
 * @param partLength Maximum number of characters of each part.
 */
export function routingKey(request: Keyed, partLength: number): number {
  const { requestBody, conversation } = request;
  const { model, messages, tools, functions } = requestBody;
  const explicit = scopedCacheKey(request) ?? conversation;
  if (explicit !== undefined) return hashText(explicit);
  const marked = messagesToFirstBreakpoint(messages);
  const hashParts = (parts: readonly unknown[]): number =>
    hashText(JSON.stringify([model, tools ?? functions, ...parts].map((part) => valueStart(part, partLength))));
  if (marked) return hashParts(marked);
  const firstUser = messages.findIndex(({ role }) => role === 'user');
  const instructions = firstUser === -1 ? messages : messages.slice(0, firstUser);
  return hashParts([instructions, messages[firstUser]?.content]);
}

/** The `prompt_cache_key` of a project as a text that no other project can have; undefined without one. */
function scopedCacheKey({ project, requestBody: { prompt_cache_key: key } }: Keyed): string | undefined {
  return key ? JSON.stringify([project, key]) : undefined;
}

/** The `prompt_cache_key` as a salt that reveals neither the key nor the project. */
export function cacheSalt(request: Keyed): string | undefined {
  const key = scopedCacheKey(request);
  return key && hash('sha256', key, 'base64url');
}
