import type { ChatRequest } from '@modelwire/ports';
import type { Segment } from '../script.ts';
import { arithmetic } from './arithmetic.ts';
import { code } from './code.ts';
import { readConversation } from './conversation.ts';
import type { Ask, Replier, Reply } from './conversation.ts';
import { echo, summary } from './echo.ts';
import { fact, knowledge } from './knowledge.ts';
import { inLanguage, translation } from './languages.ts';
import { counting, lists } from './lists.ts';
import { tellMedia } from './media.ts';
import { memory } from './memory.ts';
import { resultsIn, tellResults } from './results.ts';
import { tellSearch, withoutSearch } from './search.ts';
import { anything, greeting, identity, thanks } from './talk.ts';
import { fulfil, readWishes } from './wishes.ts';

/** Who may answer, in turn; the first that understands the prompt does. */
const repliers: readonly Replier[] = [
  summary,
  translation,
  memory,
  counting,
  lists,
  echo,
  fact,
  arithmetic,
  code,
  knowledge,
  thanks,
  greeting,
  anything,
];

const details = { low: 0, medium: 1, high: 2 } as const;

type Asked = Pick<ChatRequest, 'messages' | 'verbosity' | 'search_results'>;

/** The script for a request: what is said, in segments, each with the ways to say it. */
export function planReply(asked: Asked): Segment[] {
  return planned(asked).segments;
}

/** What the simulator would answer in plain words, and in one word where there is one: for fields that ask for an answer. */
export function spoken({ messages, verbosity }: Asked): { readonly answer: string; readonly word: string | undefined } {
  const { segments, word } = planned({ messages, verbosity: verbosity === 'high' ? 'medium' : 'low' });
  const answer = segments.map(([first = '']) => first).join('');
  return { answer: answer.trim(), word: word?.replace(/\.$/, '') };
}

function planned({ messages, verbosity, search_results: found }: Asked): {
  segments: Segment[];
  word: string | undefined;
} {
  const read = readConversation(messages);
  const ask = found ? { ...read, instructions: withoutSearch(read.instructions) } : read;
  const wishes = readWishes(ask, details[verbosity]);
  // What tools have told comes before all else: it was asked for.
  const reply =
    tellResults(resultsIn(messages)) ?? tellSearch(found) ?? tellMedia(messages) ?? answer(ask, wishes.text);
  return { segments: fulfil(reply, wishes), word: reply.word };
}

function answer(ask: Ask, wish: string): Reply {
  const self = identity(ask);
  if (self !== undefined) return inLanguage('identity', wish) ?? self;
  for (const replier of repliers) {
    const reply = replier(ask);
    if (reply === undefined) continue;
    if (replier === greeting) return inLanguage('greeting', wish) ?? reply;
    if (replier === anything) return inLanguage('other', wish) ?? reply;
    return reply;
  }
  return { lines: [] };
}
