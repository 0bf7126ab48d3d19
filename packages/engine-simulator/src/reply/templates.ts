import { maxQuoted } from '../prompt/conversation.ts';
import type { Conversation } from '../prompt/conversation.ts';
import { quotedIn, toNumber } from '../values/phrases.ts';
import { arithmetic } from './arithmetic.ts';
import { always, capital, high, medium, quote } from './reply.ts';
import type { Reply, ReplyTemplate } from './reply.ts';
import { mediaReply, searchResults, toolResults } from './results.ts';

const count = String.raw`\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`;
const echoPattern =
  /^(?:please |can you |could you |just )*(say|repeat|echo|reply|respond|answer|print|output|write|return)\b((?: (?:back|after me|with|exactly|just|only|the following|this(?= *:)|the (?:words?|phrase|sentence|text)))*)(\s*:)?\s*/i;
const timesPattern = new RegExp(String.raw`\s+(${count}) times?[.!]?\s*$`, 'i');
const maxRepetitions = 2000;

/** `say X`, `repeat X`, `reply with X`, `repeat X 5 times`: exactly that. */
const echo: ReplyTemplate = ({ text }) => {
  const [order, verb = '', how = '', colon = ''] = echoPattern.exec(text.slice(0, 200)) ?? [];
  if (order === undefined) return undefined;
  const rest = text.slice(order.length, order.length + maxQuoted);
  const quoted = /^["“‘'`]/.test(rest) ? quotedIn(rest.slice(0, 600))[0] : undefined;
  const [suffix = '', times = 'one'] = timesPattern.exec(rest.slice(-40)) ?? [];
  const isExact = quoted !== undefined || colon !== '' || /exactly|following|after me|word|phrase/i.test(how);
  // "Write a poem" and "return the sum" ask for something else.
  if (!isExact && suffix === '' && !/^(?:say|repeat|echo|reply|respond)$/i.test(verb)) return undefined;
  const plain = quoted ?? rest.slice(0, rest.length - suffix.length);
  const isSentence = !isExact && suffix === '' && /^say$/i.test(verb);
  const said = isSentence ? capital(plain.replace(/(?<=[\p{L}\p{N}])$/u, '.')) : plain;
  if (said.trim() === '') return undefined;
  const length = Math.min(toNumber(times), maxRepetitions, Math.ceil(maxQuoted / said.length));
  const all = Array.from({ length }, () => said).join(' ');
  return { lines: [always(all)], word: /^\S+/.exec(all)?.[0] ?? all };
};

const countPattern = new RegExp(String.raw`\bcount(?: up)?(?: from (${count}))? to (${count})\b`, 'i');

/** `count to 10`. */
const counting: ReplyTemplate = ({ head }) => {
  const [, first = '1', last] = countPattern.exec(head) ?? [];
  if (last === undefined) return undefined;
  const [from, to] = [toNumber(first), toNumber(last)];
  const numbers = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + (from <= to ? i : -i));
  return { lines: [always(`${numbers.join(', ')}.`)], word: String(to) };
};

const listPattern = new RegExp(
  String.raw`^(?:please )?(?:(?:list|enumerate)\b|(?:name|give me|tell me|write)(?= a list of| (?:${count}) ))(?: me| a list of| all| the| some)*(?: (${count}))? ([^.?!\n,:]{2,60})`,
  'i',
);

/** `list three colours`: numbered placeholders. */
const list: ReplyTemplate = ({ head }) => {
  const [order, given = '5', noun = ''] = listPattern.exec(head) ?? [];
  if (order === undefined) return undefined;
  const length = Math.min(50, Math.max(1, toNumber(given)));
  const item = capital(quote(noun, 40));
  const intro = always(
    `Here is a simulated list of ${length}:\n\n`,
    `A list of ${length}, with placeholders from the Modelwire simulator:\n\n`,
  );
  const items = Array.from({ length }, (_, i) => `${i + 1}. ${item} ${i + 1}`);
  return { lines: [intro, always(items.join('\n'))] };
};

const identityPattern =
  /\bwho (?:are|made|built|created) you\b|\bwhat(?: kind of| sort of)?(?: \w+)? are you\b|\bwhat(?:'s| is) your name\b|\bwhich (?:ai |language )?model\b|\bare you (?:an? )?(?:real|human|ai|bot|robot|simulator|gpt|chatgpt|llm|language model)|\bintroduce yourself\b|\bwhat can you do\b|\bhow do you work\b/i;

const identity: ReplyTemplate = ({ head }) => {
  if (!identityPattern.test(head)) return undefined;
  const lines = [
    always(
      'I am the Modelwire simulator, not a real language model.',
      'The Modelwire simulator, a stand-in for a model.',
    ),
    medium(
      ' My replies come from templates, but tokens, log probabilities, limits and usage are computed.',
      ' I reply from templates. What is computed are tokens, log probabilities, limits and usage.',
    ),
    medium(' Use a real model to get answers.', ' Configure a real model to get answers.'),
    high(' I can echo, calculate, count, make lists, call tools and fill in JSON schemas.'),
  ];
  return { lines };
};

const greeting: ReplyTemplate = ({ head }) => {
  if (head.length >= 80 || !/^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b/i.test(head))
    return undefined;
  const lines = [
    always('Hello!', 'Hi there!', 'Good to hear from you!'),
    medium(' This is the Modelwire simulator.', ' You are talking to the Modelwire simulator.'),
    always(' How can I help you today?', ' What can I do for you?'),
    high(' Ask me for small things: a sum, a list, an echo, a tool call or JSON.'),
  ];
  return { lines };
};

/** Quotes the prompt, and states that the reply is a template. */
const fallback = ({ head, earlier }: Conversation): Reply => {
  const asked = `“${quote(head, 200)}”`;
  const before = quote(earlier.at(-1) ?? '');
  const lines = [
    head === '' ? always('Your message has no text.') : always(`You wrote: ${asked}.`, `Your message was: ${asked}.`),
    always(
      ' I am the Modelwire simulator, so this reply is a template.',
      ' The Modelwire simulator replies with a template.',
    ),
    ...(before === '' ? [] : [medium(` Before that you wrote: “${before}”.`)]),
    medium(' A real model would answer here.', ' Configure a real model to get an answer.'),
    high(' Still, each token was drawn from a distribution, and each one is counted.'),
  ];
  return { lines };
};

const templates: readonly ReplyTemplate[] = [
  toolResults,
  searchResults,
  mediaReply,
  identity,
  counting,
  echo,
  arithmetic,
  list,
  greeting,
];

/** The reply of the first template that matches. */
export function replyTo(conversation: Conversation): Reply {
  for (const template of templates) {
    const reply = template(conversation);
    if (reply) return reply;
  }
  return fallback(conversation);
}

/** `Refuse to …`: the only prompt that is refused. */
export const refusal: ReplyTemplate = ({ head }) =>
  /^(?:please )?refuse\b/i.test(head)
    ? { lines: [always('I cannot help with that. You asked the Modelwire simulator to refuse.')] }
    : undefined;
