import { isRecord, isTokenCount, readTokenCounts } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { CompletionUsage, ResponseObject, ResponseOutputItem } from '@modelwire/schema/types';
import type { ResponseEventBody } from './event-sequence.ts';

/** How a response of an engine ended. */
export interface NativeOutcome {
  readonly incompleteDetails: ResponseObject['incomplete_details'];
  readonly output: readonly ResponseOutputItem[];
  readonly usage: CompletionUsage | undefined;
  readonly serviceTier: string | undefined;
}

/** Events about the whole response, which the server sends itself, and keep-alive events. */
const replaced: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'keepalive',
]);

/** Whether the event is passed to the client. */
export function isForwarded({ type }: NativeResponseEvent): boolean {
  return !replaced.has(type);
}

/** The event for the client, without the sequence number and padding of the engine. */
export function forwardedEvent(event: NativeResponseEvent): ResponseEventBody {
  const { sequence_number, obfuscation, ...passed } = event;
  const isText = event.type === 'response.output_text.delta' || event.type === 'response.output_text.done';
  // Clients expect the list, which some servers omit.
  const complete: Fields = isText && !Array.isArray(event['logprobs']) ? { ...passed, logprobs: [] } : passed;
  if (!isStreamEvent(complete)) throw new Error('an event has no type');
  return complete;
}

/** How the response ended; undefined for an event that does not end it. @throws RequestError for one that failed. */
export function outcomeOf({ type, response }: NativeResponseEvent): NativeOutcome | undefined {
  if (type !== 'response.completed' && type !== 'response.incomplete' && type !== 'response.failed') return undefined;
  if (!isRecord(response)) throw upstreamFailed(undefined);
  if (type === 'response.failed') throw upstreamFailed(response['error']);
  const { output, usage, incomplete_details: details, service_tier: tier } = response;
  const reason = isRecord(details) ? details['reason'] : undefined;
  return {
    incompleteDetails:
      type === 'response.completed'
        ? null
        : { reason: reason === 'content_filter' ? 'content_filter' : 'max_output_tokens' },
    output: Array.isArray(output) ? output.filter(isOutputItem) : [],
    usage: usageOf(usage),
    serviceTier: typeof tier === 'string' ? tier : undefined,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isStreamEvent(event: Fields): event is Fields & ResponseEventBody {
  return typeof event['type'] === 'string';
}

function isOutputItem(item: unknown): item is ResponseOutputItem {
  return isRecord(item) && typeof item['type'] === 'string' && typeof item['id'] === 'string';
}

function usageOf(value: unknown): CompletionUsage | undefined {
  if (!isRecord(value)) return undefined;
  const usage = readTokenCounts(value);
  const detail = (details: unknown, name: string): number => {
    const count = isRecord(details) ? details[name] : undefined;
    return isTokenCount(count) ? count : 0;
  };
  return (
    usage && {
      ...usage,
      prompt_tokens_details: {
        cached_tokens: detail(value['input_tokens_details'], 'cached_tokens'),
        cache_write_tokens: detail(value['input_tokens_details'], 'cache_write_tokens'),
      },
      completion_tokens_details: { reasoning_tokens: detail(value['output_tokens_details'], 'reasoning_tokens') },
    }
  );
}

function upstreamFailed(error: unknown): RequestError {
  const { message, code } = isRecord(error) ? error : { message: undefined, code: undefined };
  return new RequestError(typeof message === 'string' ? message : 'The upstream failed to generate the response.', {
    status: 502,
    code: typeof code === 'string' ? code : 'upstream_error',
  });
}
