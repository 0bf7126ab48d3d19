import { RequestError } from '@modelwire/server';
import { describeAsked, explain, matches } from './match.ts';
import type { Match } from './match.ts';
import { ruleBook, showUse } from './rule-book.ts';
import type { RuleBook } from './rule-book.ts';
import { replySchema } from './rules.ts';
import type { ParsedChatRule, ParsedReply } from './rules.ts';
import type { AskedChat, ReplyFunction } from './types.ts';

/** What a rule says to a request, with what its text may be filled with. */
export interface Answer {
  readonly reply: ParsedReply;
  readonly groups: Match['groups'];
  readonly count: number;
}

export interface ChatScript {
  readonly book: RuleBook<ParsedChatRule>;
  /** Undefined where no rule fits. */
  answer(asked: AskedChat): Answer | Promise<Answer> | undefined;
  /** Why no rule fits: what was asked, and what each rule wants. */
  unmatched(asked: AskedChat): RequestError;
}

export function chatScript(rules: readonly ParsedChatRule[]): ChatScript {
  const book = ruleBook(rules, 'replies', limitOf);
  return {
    book,
    answer(asked) {
      const taken = book.take(({ when }) => (when ? matches(when, asked) : any));
      if (!taken) return undefined;
      const { rule, count, fit } = taken;
      const reply = replyAt(rule, count);
      const answer = { groups: fit.groups, count };
      if (typeof reply !== 'function') return { ...answer, reply };
      return Promise.resolve(reply(asked, count)).then((given) => ({ ...answer, reply: replySchema.parse(given) }));
    },
    unmatched: (asked) => noReply('request', describeAsked(asked), book, ({ when }) => explain(when ?? {}, asked)),
  };
}

/** A 400, so that clients do not ask again. */
export function noReply<Rule>(
  what: string,
  asked: string,
  book: RuleBook<Rule>,
  wants: (rule: Rule) => string,
): RequestError {
  const rules = book.rules();
  const lines = rules.map((one) => `  ${one.name}: ${wants(one.rule)} - ${showUse(one)}`);
  const expected = rules.length === 0 ? 'There are no rules.' : `Expected one of:\n${lines.join('\n')}`;
  return new RequestError(`No scripted reply fits this ${what}.\nAsked: ${asked}\n${expected}`, {
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
