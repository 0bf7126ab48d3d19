import { TypeValidationError } from '@ai-sdk/provider';
import { isRecord } from '@modelwire/adapter-kit';

/** The event types of Anthropic's streams. */
const anthropicEvents: ReadonlySet<string> = new Set([
  'content_block_delta',
  'content_block_start',
  'content_block_stop',
  'error',
  'message_delta',
  'message_start',
  'message_stop',
  'ping',
]);

/**
 * Whether an error part reports an event of a type that the provider package does not know. Providers add such types at any time and
 * the stream goes on, so they are skipped. A known event that is malformed is an error: part of the reply would be missing.
 */
export function isUnknownEvent(error: unknown): boolean {
  if (!TypeValidationError.isInstance(error) || !isRecord(error.value)) return false;
  const { type } = error.value;
  return typeof type === 'string' && !anthropicEvents.has(type);
}
