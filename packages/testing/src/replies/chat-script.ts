import { RequestError } from '@modelwire/ports';
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
  readonly ruleSet: RuleSet<ParsedChatRule>;
  /** Undefined if no rule matches. @throws a 400 for a function that throws or returns no valid reply. */
  answer(requestInfo: ChatRequestInfo): MatchedReply | Promise<MatchedReply> | undefined;
  /** Why no rule matches: the request and the conditions of each rule. */
  unmatched(requestInfo: ChatRequestInfo): RequestError;
}

export function chatScript(rules: readonly ParsedChatRule[]): ChatScript {
  const ruleSet = createRuleSet(rules, 'replies', limitOf);
  return {
    ruleSet,
    answer(requestInfo) {
      const matched = ruleSet.take(({ when }, name) => (when ? matchRule(when, requestInfo, name) : matchesAny));
      if (!matched) return undefined;
      const { rule, name, count, match } = matched;
      const reply = replyAt(rule, count);
      const answer = { groups: match.groups, count, rule: name };
      if (typeof reply !== 'function') return { ...answer, reply };
      return callReplyFunction(reply, requestInfo, { name, count }).then((parsedReply) => ({
        ...answer,
        reply: parsedReply,
      }));
    },
    unmatched: (requestInfo) =>
      unmatchedError('request', describeRequest(requestInfo), ruleSet, ({ when }) => explain(when ?? {}, requestInfo)),
  };
}

function matchRule(when: ChatMatcher, requestInfo: ChatRequestInfo, name: string): Match | undefined {
  try {
    return matches(when, requestInfo);
  } catch (error) {
    throw scriptError(`The test of ${name} threw: ${messageOf(error)}`, error);
  }
}

/** The reply that a function returns. @throws a 400 with the problem of an invalid one. */
async function callReplyFunction(
  reply: ReplyFunction,
  requestInfo: ChatRequestInfo,
  { name, count }: { readonly name: string; readonly count: number },
): Promise<ParsedReply> {
  let returned: unknown;
  try {
    returned = await reply(requestInfo, count);
  } catch (error) {
    throw scriptError(`The function of ${name} threw: ${messageOf(error)}`, error);
  }
  const parsed = replySchema.safeParse(returned);
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
  requestKind: string,
  request: string,
  ruleSet: RuleSet<Rule>,
  describeRule: (rule: Rule) => string,
): RequestError {
  const rules = ruleSet.rules();
  const lines = rules.map((entry) => `  ${entry.name}: ${describeRule(entry.rule)} - ${describeUsage(entry)}`);
  const expected = rules.length === 0 ? 'There are no rules.' : `Expected one of:\n${lines.join('\n')}`;
  return new RequestError(`No scripted reply matches this ${requestKind}.\nRequest: ${request}\n${expected}`, {
    status: 400,
    type: 'no_scripted_reply',
    code: 'no_scripted_reply',
    headers: { 'x-should-retry': 'false' },
  });
}

const matchesAny: Match = { groups: () => ({}) };

function limitOf({ sequence, atEnd, times }: ParsedChatRule): number | undefined {
  if (times !== undefined) return times;
  return sequence && (atEnd ?? 'stop') === 'stop' ? sequence.length : undefined;
}

function replyAt({ reply, sequence, atEnd }: ParsedChatRule, count: number): ParsedReply | ReplyFunction {
  const list = sequence ?? [];
  const index = atEnd === 'again' ? count % list.length : Math.min(count, list.length - 1);
  const next = reply ?? list[index];
  if (!next) throw new Error('a rule without a reply');
  return next;
}
