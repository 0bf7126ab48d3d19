import { isObject } from './is-object.ts';

/** What gateways add to every request, by its name and the only value that changes nothing. */
export type Hints = ReadonlyMap<string, boolean | number>;

/** sglang-router 0.3.2 with `--backend openai` adds these, as its requests show. */
export const chatHints: Hints = new Map([
  ['continue_final_message', false],
  ['ignore_eos', false],
  ['no_stop_trim', false],
  ['return_hidden_states', false],
  ['separate_reasoning', true],
  ['skip_special_tokens', true],
  ['stream_reasoning', true],
]);
export const responseHints: Hints = new Map([
  ['min_p', 0],
  ['priority', 0],
  ['repetition_penalty', 1],
  ['top_k', -1],
]);

/** The body without hints. With another value, a parameter stays, to be refused by its name. */
export function withoutHints(body: unknown, hints: Hints): unknown {
  if (!isObject(body)) return body;
  const isHint = (name: string): boolean => hints.has(name) && hints.get(name) === body[name];
  if (!Object.keys(body).some(isHint)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isHint(name)));
}
