import { core, more, quote } from './conversation.ts';
import type { Replier, Turn } from './conversation.ts';

/** Questions about what was said before. */
export const memory: Replier = ({ head, earlier }) => {
  if (head.length > 300) return undefined;
  if (/\bwhat(?:'s| is| was) my name\b|\bdo you (?:know|remember) my name\b|\bwho am i\b/i.test(head))
    return nameOf(earlier);
  const mine = earlier.filter((turn) => turn.role === 'user');
  const yours = earlier.filter((turn) => turn.role === 'assistant');
  if (
    /\bwhat (?:did|was|were|have) (?:i|my)\b.*\b(?:sa(?:y|id)|ask(?:ed)?|tell|told|wr[io]te?|question|message|earlier|before|first|last)\b/i.test(
      head,
    )
  ) {
    const turn = /\bfirst\b/i.test(head) ? mine[0] : mine.at(-1);
    return turn === undefined ? nothing() : said('You', turn, /\bfirst\b/i.test(head) ? ' at the start' : '');
  }
  if (
    /\bwhat (?:did|was|were) (?:you|your)\b.*\b(?:say|said|answer|reply|tell|earlier|before|first|last)\b/i.test(head)
  ) {
    const turn = /\bfirst\b/i.test(head) ? yours[0] : yours.at(-1);
    return turn === undefined ? nothing() : said('I', turn, '');
  }
  if (
    /^(?:please )?(?:say|repeat) (?:that|it|this)(?: again)?[.!?]*$|^(?:again|once more|pardon|what\?|come again)\b|^(?:can|could) you (?:say|repeat) (?:that|it)\b/i.test(
      head,
    )
  ) {
    const turn = yours.at(-1);
    return turn === undefined ? nothing() : { lines: [core(turn.text)] };
  }
  if (
    /^(?:why|how so|really|are you sure|and then|go on|continue|tell me more|more(?: please)?|explain)[.?!]*$/i.test(
      head,
    )
  ) {
    const topic = mine.findLast((turn) => turn.text.length > 12) ?? mine.at(-1);
    if (topic === undefined) return nothing();
    return {
      lines: [
        core(`You ask me to go on about “${quote(topic.text)}”.`, `We were at “${quote(topic.text)}”.`),
        core(
          ' What I said before is all that my script holds on it.',
          ' I have told you all that a simulator can tell about it.',
        ),
        more(
          ' Ask me something new, and I will see what I have.',
          ' Try another question, perhaps about rivers, clocks, bread or maps.',
        ),
      ],
      word: 'Because.',
    };
  }
  const name = introduced(head);
  if (name !== undefined && head.length < 80) {
    return {
      lines: [
        core(`Nice to meet you, ${name}!`, `Hello, ${name}!`),
        more(' I will remember your name as long as it stands in the messages.', ' What can I do for you?'),
      ],
      word: name,
    };
  }
  return undefined;
};

function nameOf(earlier: readonly Turn[]): ReturnType<Replier> {
  const name = earlier
    .filter((turn) => turn.role === 'user')
    .map((turn) => introduced(turn.text))
    .findLast((found) => found !== undefined);
  if (name === undefined)
    return {
      lines: [core('You have not told me your name.', 'I do not know your name: it is in none of the messages.')],
      word: 'Unknown.',
    };
  return { lines: [core(`Your name is ${name}.`, `You told me that your name is ${name}.`)], word: `${name}.` };
}

function introduced(text: string): string | undefined {
  return (
    /\b(?:my name is|call me)\s+([\p{L}][\p{L}'-]{0,40})/iu.exec(text.slice(0, 2000))?.[1] ??
    /\bI(?:'m| am)\s+(\p{Lu}\p{Ll}[\p{L}'-]{0,40})\b/u.exec(text.slice(0, 2000))?.[1]
  );
}

function said(who: string, turn: Turn, when: string): ReturnType<Replier> {
  return {
    lines: [
      core(
        `${who} said${when}: “${quote(turn.text, 300)}”.`,
        `${who === 'I' ? 'My' : 'Your'} words${when} were: “${quote(turn.text, 300)}”.`,
      ),
    ],
  };
}

function nothing(): ReturnType<Replier> {
  return {
    lines: [
      core(
        'Nothing was said before this in our conversation.',
        'This is where our conversation begins, so there is nothing before it.',
      ),
    ],
    word: 'Nothing.',
  };
}
