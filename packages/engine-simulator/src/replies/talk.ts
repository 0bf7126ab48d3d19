import { core, extra, more } from './conversation.ts';
import type { Ask, Replier } from './conversation.ts';

/** What the simulator says of itself wherever it is asked. It never claims to be more. */
export const identity: Replier = ({ head, instructions }) => {
  const asked =
    /\bwho (?:are|r) (?:you|u)\b|\bwhat(?: kind of| sort of)?(?: \w+)? are you\b|\bwhat(?:'s| is) your name\b|\bwhich (?:ai |language )?model\b|\bare you (?:a |an )?(?:real|human|ai|bot|robot|simulator|gpt|chatgpt|llm|language model)|\bintroduce yourself\b|\bwhat can you do\b|\bhow do you work\b|\bwho (?:made|built|wrote|created) you\b/i;
  if (!asked.test(head)) return undefined;
  const given = instructions
    .map((text) => /\b(?:your name is|you are called|call yourself)\s+([\p{L}\p{N}_-]{1,40})/iu.exec(text)?.[1])
    .find((name) => name !== undefined);
  const name = given === undefined ? '' : ` You asked me to answer to ${given}, and I do.`;
  return {
    lines: [
      core(
        'I am the Modelwire simulator, not a real language model.',
        'I am a simulator: the small stand-in model that comes with Modelwire.',
      ),
      core(name),
      more(
        ' My replies follow scripts, mixed with a small n-gram model, over the o200k tokens.',
        ' I follow written scripts, loosened by a small n-gram model over real tokens.',
      ),
      more(
        ' Sampling, limits and token counts are computed for real, so I am good for testing and poor for advice.',
        ' What you can trust are the mechanics: sampling, log probabilities, stop sequences and usage.',
      ),
      extra(
        ' I can greet you, do sums, repeat and count things, summarise by quoting, and tell you a little about rivers, clocks, bread and maps.',
      ),
      extra(' For anything that needs knowledge or thought, put a real engine behind this server.'),
    ],
    word: 'Simulator.',
  };
};

export const greeting: Replier = ({ head, earlier }) => {
  const match =
    /^(?:say )?(hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|howdy|hallo|bonjour|hola|ciao|salut|guten tag)\b/i.exec(
      head,
    );
  if (match === null || head.length > 80) return undefined;
  const name = /\b(?:my name is|i am|i'm|this is)\s+(\p{Lu}[\p{L}'-]{0,30})/u.exec(head)?.[1];
  const part = /morning|afternoon|evening/i.exec(head)?.[0].toLowerCase();
  const opening = part === undefined ? 'Hello' : `Good ${part}`;
  const to = name === undefined ? '' : `, ${name}`;
  const wellBeing = /how are you|how's it going|how do you do|what's up/i.test(head);
  return {
    lines: [
      core(
        `${opening}${to}!`,
        earlier.length > 0 ? `${opening} again${to}!` : `Hi there${to}!`,
        `Good to hear from you${to}!`,
      ),
      ...(wellBeing ? [core(' I am well, as simulators always are.', ' All my tokens are in order, thank you.')] : []),
      core(' How can I help you today?', ' What can I do for you?', ' What shall we talk about?'),
      extra(
        ' I am a simulator, so ask me for small things: a sum, a list, an echo, a few words about rivers or bread.',
      ),
    ],
    word: `${opening}!`,
  };
};

export const thanks: Replier = ({ head }) => {
  if (head.length > 60) return undefined;
  if (/^(?:many )?(?:thanks|thank you|thx|cheers|merci|danke|gracias)\b/i.test(head)) {
    return {
      lines: [
        core('You are welcome!', 'My pleasure!', 'Gladly!'),
        more(' Is there anything else?', ' Just ask if there is more.'),
      ],
      word: 'Welcome!',
    };
  }
  if (/^(?:good ?bye|bye|see you|farewell|good night)\b/i.test(head)) {
    return {
      lines: [core('Goodbye!', 'Farewell!'), more(' Come back whenever you like.', ' It was good to talk.')],
      word: 'Goodbye!',
    };
  }
  if (/^(?:ping|test|testing)[.!?]*$/i.test(head)) {
    const heard = /^ping/i.test(head) ? 'Pong.' : 'The test has arrived.';
    return {
      lines: [core(heard), more(' The simulator is up and listening.', ' Everything works as far as I can see.')],
      word: heard.startsWith('Pong') ? 'Pong.' : 'Received.',
    };
  }
  return undefined;
};

/** What is said when nothing better is known: it names the subject and admits what this is. */
export function anything({ head }: Ask): ReturnType<Replier> {
  if (head === '') {
    return {
      lines: [
        core('You sent no words, so I have nothing to answer.', 'There was nothing in your message that I could read.'),
        more(' Say hello, or give me a sum.', ' Try a greeting, a sum or a question.'),
      ],
      word: 'Nothing.',
    };
  }
  return {
    lines: [
      core(`You wrote about “${subject(head)}”.`, `Your message is about “${subject(head)}”.`),
      core(
        ' I am only a simulator, so I have no real knowledge of it.',
        ' As a simulator I cannot know much about that.',
        ' That is beyond what a simulator knows.',
      ),
      more(
        ' A real model behind this server would answer here, in the same shape and through the same interface.',
        ' Put a real engine behind this server and the same request will bring a real answer.',
      ),
      extra(' What you see is still computed: each token was drawn from a distribution, and each one is counted.'),
      extra(' Temperature, seed, stop sequences, penalties and limits all act on it as they would on any other model.'),
    ],
    word: 'Unknown.',
  };
}

/** What a message is about, as far as cutting words off its beginning can tell. */
export function subject(text: string): string {
  const first = /^[^\n.!?]{1,200}/.exec(text)?.[0] ?? text.slice(0, 200);
  const cut = first
    .replace(
      /^(?:please|can you|could you|would you|will you|i want you to|i would like you to|tell me|explain(?: to me)?|describe|write|give me)\s+/i,
      '',
    )
    .replace(/^(?:what|who|where|when|why|how|which)(?:'s| is| are| was| were)\s+/i, '')
    .replace(/^(?:about|of)\s+/i, '')
    .replace(/[“”"]/g, "'")
    .trim();
  const flat = (cut === '' ? first : cut).replace(/\s+/g, ' ').trim();
  return flat.length > 60
    ? `${flat
        .slice(0, 60)
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/\s+\S*$/, '')}…`
    : flat;
}
