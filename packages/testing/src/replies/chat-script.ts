import { RequestError } from '@modelwire/server';
import { problemsOf, showProblem } from '../problems.ts';
import { describeRequest, explain, matches } from './match.ts';
import type { Match } from './match.ts';
import { createRuleSet, describeUsage } from './rule-set.ts';
import type { RuleSet } from './rule-set.ts';
import { replySchema } from './rules.ts';
import type { ParsedChatRule, ParsedReply } from './rules.ts';
import type { ChatRequestInfo, ChatMatcher, ReplyFunction } from './types.ts';

/** The reply of a rule to a request, with the values for its templates. */
export interface MatchedReply {
  readonly reply: ParsedReply;
  /** The name of the rule, for errors. */
  readonly rule: string;
  readonly groups: Match['groups'];
  readonly count: number;
}

export interface ChatScript {
  readonly book: RuleSet<ParsedChatRule>;
  /** Undefined if no rule matches. @throws a 400 for a function that throws or returns no valid reply. */
  answer(asked: ChatRequestInfo): MatchedReply | Promise<MatchedReply> | undefined;
  /** Why no rule matches: the request and the conditions of each rule. */
  unmatched(asked: ChatRequestInfo): RequestError;
}

export function chatScript(rules: readonly ParsedChatRule[]): ChatScript {
  const book = createRuleSet(rules, 'replies', limitOf);
  return {
    book,
    answer(asked) {
      const taken = book.take(({ when }, name) => (when ? fitOf(when, asked, name) : any));
      if (!taken) return undefined;
      const { rule, name, count, fit } = taken;
      const reply = replyAt(rule, count);
      const answer = { groups: fit.groups, count, rule: name };
      if (typeof reply !== 'function') return { ...answer, reply };
      return replyOf(reply, asked, { name, count }).then((given) => ({ ...answer, reply: given }));
    },
    unmatched: (asked) =>
      unmatchedError('request', describeRequest(asked), book, ({ when }) => explain(when ?? {}, asked)),
  };
}

function fitOf(when: ChatMatcher, asked: ChatRequestInfo, name: string): Match | undefined {
  try {
    return matches(when, asked);
  } catch (error) {
    throw scriptError(`The test of ${name} threw: ${messageOf(error)}`, error);
  }
}

/** The reply that a function returns. @throws a 400 with the problem of an invalid one. */
async function replyOf(
  reply: ReplyFunction,
  asked: ChatRequestInfo,
  { name, count }: { readonly name: string; readonly count: number },
): Promise<ParsedReply> {
  let given: unknown;
  try {
    given = await reply(asked, count);
  } catch (error) {
    throw scriptError(`The function of ${name} threw: ${messageOf(error)}`, error);
  }
  const parsed = replySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error).map(showProblem).join('; ');
  throw scriptError(`The function of ${name} returned an invalid reply: ${problems}`, parsed.error);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The script is invalid. A 400, so that clients do not retry. */
export function scriptError(message: string, cause?: unknown): RequestError {
  return new RequestError(message, {
    status: 400,
    type: 'script_error',
    code: 'script_error',
    headers: { 'x-should-retry': 'false' },
    cause,
  });
}

export function isScriptError(error: unknown): error is RequestError {
  return error instanceof RequestError && error.code === 'script_error';
}

/** A 400, so that clients do not retry. */
export function unmatchedError<Rule>(
  what: string,
  asked: string,
  book: RuleSet<Rule>,
  wants: (rule: Rule) => string,
): RequestError {
  const rules = book.rules();
  const lines = rules.map((one) => `  ${one.name}: ${wants(one.rule)} - ${describeUsage(one)}`);
  const expected = rules.length === 0 ? 'There are no rules.' : `Expected one of:\n${lines.join('\n')}`;
  return new RequestError(`No scripted reply matches this ${what}.\nRequest: ${asked}\n${expected}`, {
    status: 400,
    type: 'no_scripted_reply',
    code: 'no_scripted_reply',
    headers: { 'x-should-retry': 'false' },
  });
}

const any: Match = { groups: () => ({}) };

function limitOf({ sequence, atEnd, times }: ParsedChatRule): number | undefined {
  if (times !== undefined) return times;
  return sequence && (atEnd ?? 'stop') === 'stop' ? sequence.length : undefined;
}

function replyAt({ reply, sequence, atEnd }: ParsedChatRule, count: number): ParsedReply | ReplyFunction {
  const list = sequence ?? [];
  const at = atEnd === 'again' ? count % list.length : Math.min(count, list.length - 1);
  const found = reply ?? list[at];
  if (!found) throw new Error('a rule without a reply');
  return found;
}
