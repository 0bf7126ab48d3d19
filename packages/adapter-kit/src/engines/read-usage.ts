import type { CompletionUsage } from '@modelwire/schema/types';
import { isRecord } from '../json/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage that an upstream reported, with the names of the API: servers also send `input_tokens` and `output_tokens`, count cached tokens of
 * the prompt separately (Messages API), or send the total alone. A missing count is calculated from the other two, or else 0, which the server
 * replaces by an estimate. Fields that are not in the API are kept.
 *
 * @returns undefined if there is no count, and if a count is no count: a negative one, a fraction, text.
 */
export function readUsage(value: unknown): CompletionUsage | undefined {
  if (!isRecord(value)) return undefined;
  const counts = readCounts(value);
  return counts && { ...value, ...counts };
}

/** The same, without the fields that are not in the API. */
export function readTokenCounts(fields: Fields): CompletionUsage | undefined {
  const counts = readCounts(fields);
  if (!counts) return undefined;
  const details = fields['prompt_tokens_details'] ?? fields['input_tokens_details'];
  const cached = fields['cache_read_input_tokens'] ?? (isRecord(details) ? details['cached_tokens'] : undefined);
  return isTokenCount(cached) ? { ...counts, prompt_tokens_details: { cached_tokens: cached } } : counts;
}

type Counts = Pick<CompletionUsage, 'prompt_tokens' | 'completion_tokens' | 'total_tokens'>;

function readCounts(fields: Fields): Counts | undefined {
  const input = fields['input_tokens'] ?? undefined;
  const prompt = fields['prompt_tokens'] ?? (input === undefined ? undefined : withCachedTokens(input, fields));
  const completion = fields['completion_tokens'] ?? fields['output_tokens'] ?? undefined;
  const total = fields['total_tokens'] ?? undefined;
  if (!isMissingOrCount(prompt) || !isMissingOrCount(completion) || !isMissingOrCount(total)) return undefined;
  if (prompt === undefined && completion === undefined && total === undefined) return undefined;
  if (!hasValidDetails(fields)) return undefined;
  const prompt_tokens = prompt ?? Math.max(0, (total ?? 0) - (completion ?? 0));
  const completion_tokens = completion ?? Math.max(0, (total ?? 0) - prompt_tokens);
  return { prompt_tokens, completion_tokens, total_tokens: total ?? prompt_tokens + completion_tokens };
}

/** The Messages API does not include cached tokens in `input_tokens`. */
function withCachedTokens(input: unknown, fields: Fields): unknown {
  const cached = [fields['cache_read_input_tokens'], fields['cache_creation_input_tokens']].filter(isTokenCount);
  return isTokenCount(input) ? cached.reduce((sum, count) => sum + count, input) : input;
}

function hasValidDetails(fields: Fields): boolean {
  return ['prompt_tokens_details', 'completion_tokens_details'].every((name) => {
    const details = fields[name];
    return (
      !isRecord(details) || !Object.values(details).some((count) => typeof count === 'number' && !isTokenCount(count))
    );
  });
}

function isMissingOrCount(value: unknown): value is number | undefined {
  return value === undefined || isTokenCount(value);
}

/** Whether a number from outside is a count of tokens. */
export function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
