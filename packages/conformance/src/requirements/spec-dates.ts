import { patternTest } from './pattern.ts';

/** The oldest version: what it has was not introduced later than in this month. */
export const OLDEST_SPEC = '2025-06';

/**
 * What later months introduced: the month of the first release of the official Node SDK whose types have it, found by comparing the
 * last release of each month, from 5.8.2 (June 2025) to 7.59.0 (November 2026).
 */
const introductions: Readonly<Record<string, readonly string[]>> = {
  '2025-07': ['*prompt_cache_key*', '*safety_identifier*', '*content_parts*', 'chat.completions.messages.list/parts'],
  '2025-08': [
    ...['conversations.*', 'responses.*conversation*', '*verbosity*', '*.reasoning_effort.minimal*', '*/tools.allowed'],
    ...['*custom*', '*/tools.grammar', '*expires_after*', 'responses.*stream_options*', '*obfuscation*'],
  ],
  '2025-09': ['batches.*.usage*', 'batches.*response.model', 'batches.*response.data[].model'],
  '2025-10': ['videos.*', 'responses.input_tokens.count/*'],
  '2025-11': ['*prompt_cache_retention*'],
  '2025-12': ['responses.compact/*', '*.reasoning_effort.xhigh'],
  '2026-01': ['responses.*.completed_at'],
  '2026-02': ['responses.*max_tool_calls*'],
  '2026-06': ['chat.completions.*.moderation*', '*.personality.*'],
  '2026-07': ['*cache_write_tokens', '*prompt_cache_options*', '*.reasoning_effort.max', '*.service_tier.fast'],
  '2026-08': ['*.image_tokens', '*.text_tokens', 'chat.completions.create/event.obfuscation'],
};

const newestFirst = Object.entries(introductions)
  .map(([month, patterns]) => ({ month, matches: patternTest(patterns) }))
  .toReversed();

/** The month in which the public specification introduced what a check tests. */
export const specMonthOf = (id: string): string => newestFirst.find(({ matches }) => matches(id))?.month ?? OLDEST_SPEC;
