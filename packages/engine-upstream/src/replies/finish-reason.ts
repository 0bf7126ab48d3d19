import type { FinishReason } from '@modelwire/schema/types';

/** What a finish reason of an upstream means: one of the API, a failed reply, or a word that is not known. */
export type FinishMeaning = FinishReason | 'failed' | 'unknown';

/**
 * The words of known servers and services, by their letters and digits: `MAX_TOKENS`, `max-tokens` and `maxTokens` are the same word. What they
 * have in common is below.
 */
const words: ReadonlyMap<string, FinishMeaning> = new Map([
  ...list(
    'stop',
    'stop stopped stopsequence endturn eos eostoken eot complete completed done end finish finished pauseturn success',
  ),
  ...list('length', 'length maxtokens limit truncated'),
  ...list(
    'content_filter',
    'contentfilter recitation blocklist blocked spii language refusal refused sensitive censored',
  ),
  ...list('content_filter', 'errortoxic risk guardrailintervened modelarmor'),
  ...list('tool_calls', 'toolcalls toolcall tooluse tool tools functioncalls'),
  ...list('function_call', 'functioncall'),
  ...list(
    'failed',
    'malformedfunctioncall unexpectedtoolcall toomanytoolcalls malformedresponse missingthoughtsignature noimage',
  ),
  ...list('failed', 'insufficientsystemresource overloaded unavailable engineoverloaded interrupted timeout exception'),
]);

/** Parts of words that say what is meant, in the order in which they are tried: `ERROR_LIMIT` is a limit. */
const parts: readonly (readonly [RegExp, FinishMeaning])[] = [
  [/length|max\w*tokens?|tokens?\w*limit|limit\w*tokens?|errorlimit|contextwindow|maxcontext|truncat/, 'length'],
  [/safety|filter|moderat|prohibited|policy|guardrail|toxic|recitation|harm|blocklist/, 'content_filter'],
  [/tooluse|toolcall/, 'tool_calls'],
  [/error|abort|cancel|fail/, 'failed'],
];

function list(meaning: FinishMeaning, spaced: string): (readonly [string, FinishMeaning])[] {
  return spaced.split(' ').map((word) => [word, meaning]);
}

/** Longer texts are no words. */
const maxLength = 64;

/**
 * The meaning of a `finish_reason`; undefined if it does not end the choice: servers send nothing, null, an empty text and the word `null` while
 * a choice is being generated.
 */
export function readFinishReason(value: unknown): FinishMeaning | undefined {
  if (typeof value !== 'string') return undefined;
  if (value === 'stop' || value === 'length' || value === 'tool_calls') return value;
  const word = value
    .slice(0, maxLength)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
  if (value.trim() === '' || word === 'null' || word === 'none') return undefined;
  return words.get(word) ?? parts.find(([pattern]) => pattern.test(word))?.[1] ?? 'unknown';
}

/** A finish reason of an upstream as a log may contain it. */
export function loggableFinishReason(value: unknown): string {
  return String(value)
    .slice(0, maxLength)
    .replaceAll(/[^\w .-]/g, '?');
}
