import type { ChatRequest } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import { planReply } from './plan.ts';

type Messages = ChatRequest['messages'];

/** The reply in its likeliest words. */
function plan(prompt: string | Messages, verbosity: 'low' | 'medium' | 'high' = 'medium'): string {
  const messages: Messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
  return planReply({ messages, verbosity })
    .map(([first]) => first)
    .join('');
}
const told = (order: string, prompt: string): Messages => [
  { role: 'system', content: order },
  { role: 'user', content: prompt },
];
const after = (first: string, answer: string, prompt: string): Messages => [
  { role: 'user', content: first },
  { role: 'assistant', content: answer },
  { role: 'user', content: prompt },
];

describe('the planned reply', () => {
  test.each([
    ['Hello!', 'Hello! How can I help you today?'],
    ['Good morning, how are you?', 'Good morning! I am well, as simulators always are. How can I help you today?'],
    ['Thanks!', 'You are welcome! Is there anything else?'],
    ['ping', 'Pong. The simulator is up and listening.'],
    ['Say this is a test', 'This is a test.'],
    ['Say "over and out"', 'over and out'],
    ['Repeat after me: one two three', 'one two three'],
    ['Reply with exactly: OK', 'OK'],
    ['Repeat the word tick 5 times', 'tick tick tick tick tick'],
    ['Echo <|endoftext|> please', '<|endoftext|> please'],
    ['Count to 5', '1, 2, 3, 4, 5.'],
    ['Count down from 3', '3, 2, 1.'],
    ['List three colours', 'Here are 3 colours:\n\n1. Red\n2. Blue\n3. Green'],
    ['Say hello in French', 'Bonjour ! Que puis-je faire pour vous ?'],
    ['What is the capital of France? Answer in one word.', 'Paris.'],
  ])('to %j is %j', (prompt, reply) => {
    expect(plan(prompt)).toBe(reply);
  });

  test.each([
    ['What is 2+2?', '2 + 2 = 4.'],
    ['3 plus 4 times 2', '3 + 4 * 2 = 11.'],
    ['(1 + 2) * -3', '(1 + 2) * -3 = -9.'],
    ['what is 15% of 80', '15 / 100 * 80 = 12.'],
    ['2^3^2', '2 ^ 3 ^ 2 = 512.'],
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3.'],
    ['Sum of 3 and 4', '3 + 4 = 7.'],
    ['5 / 0', '5 / 0 has no value: dividing by zero is undefined.'],
  ])('to the sum %j is %j', (prompt, reply) => {
    expect(plan(prompt, 'low')).toBe(reply);
  });

  test('does not take dates, telephone numbers and lone figures for sums', () => {
    for (const prompt of ['2026-11-21', 'Call 555', 'I have 3 cats']) expect(plan(prompt)).toContain('simulator');
  });

  test('says that it is a simulator when asked who it is, whatever name it is given', () => {
    for (const prompt of [
      'Who are you?',
      'what are you',
      'Are you ChatGPT?',
      'What is your name?',
      'Which model are you?',
    ]) {
      expect(plan(prompt)).toMatch(/^I am the Modelwire simulator, not a real language model\./);
    }
    const named = plan(told('Your name is Bob.', 'Who are you?'));
    expect(named).toContain('simulator');
    expect(named).toContain('Bob');
  });

  test('declines to translate and admits what it does not know, naming the subject', () => {
    expect(plan('Translate "cat" to Italian')).toMatch(/^I cannot translate into Italian: I am a simulator/);
    expect(plan('Explain quantum entanglement')).toMatch(/quantum entanglement.*simulator/);
  });

  test('summarises by quoting and counting', () => {
    const reply = plan('Summarise: The cat sat here. The dog barked at the cat. Then the cat slept.');
    expect(reply).toMatch(/^In short: The cat sat here\./);
    expect(reply).toContain('14 words in 3 sentences');
  });

  test('tells what its own texts say of rivers, clocks, bread and maps', () => {
    for (const noun of ['River', 'clock', 'Bread', 'map'])
      expect(plan(`Tell me about ${noun.toLowerCase()}s`)).toMatch(new RegExp(noun, 'i'));
    expect(plan('Write a 300 word essay about maps').split(/\s+/).length).toBeGreaterThan(300);
  });

  test('gives code that it has by heart, in the language asked for if it can', () => {
    expect(plan('Write a Python function for the factorial')).toContain('```python\ndef factorial(n):');
    expect(plan('Write hello world code in Rust')).toMatch(/^I have nothing in Rust/);
  });

  test('remembers what was said before', () => {
    expect(plan(after('My name is Ana.', 'Hello, Ana!', 'What is my name?'))).toBe('Your name is Ana.');
    expect(plan(after('Tell me of owls.', 'Owls fly.', 'Say that again'))).toBe('Owls fly.');
    expect(plan(after('Tell me of owls.', 'Owls fly.', 'What did I say first?'))).toBe(
      'You said at the start: “Tell me of owls”.',
    );
    expect(plan(after('Tell me of owls.', 'Owls fly.', 'Why?'))).toContain('owls');
    expect(plan('What is my name?')).toBe('You have not told me your name.');
  });

  test.each([
    ['Answer in one word.', 'What is 3*7?', '21'],
    ['Answer in German.', 'Hello', 'Guten Tag! Was kann ich für Sie tun?'],
    ['Always end with "Over."', 'Hello', 'Hello! How can I help you today? Over.'],
    ['Start every reply with: Aye,', 'ping', 'Aye, Pong. The simulator is up and listening.'],
    ['Respond in upper case.', 'ping', 'PONG. THE SIMULATOR IS UP AND LISTENING.'],
    ['Always answer "no".', 'Can you fly?', 'no'],
    ['Use one sentence.', 'ping', 'Pong.'],
    ['Answer in at most 3 words.', 'ping', 'Pong. The simulator'],
    ['Be concise.', 'ping', 'Pong.'],
  ])('follows %j', (order, prompt, reply) => {
    expect(plan(told(order, prompt))).toBe(reply);
  });

  test('grows with verbosity', () => {
    const [low, medium, high] = (['low', 'medium', 'high'] as const).map(
      (verbosity) => plan('Who are you?', verbosity).length,
    );
    expect(low).toBeLessThan(medium ?? 0);
    expect(medium).toBeLessThan(high ?? 0);
  });

  test('reads text parts as one text, and any conversation at all', () => {
    expect(
      plan([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Count ' },
            { type: 'text', text: 'to 3' },
          ],
        },
      ]),
    ).toBe('1, 2, 3.');
    expect(plan('')).toMatch(/^You sent no words/);
    expect(plan([{ role: 'system', content: 'x' }])).toMatch(/^You sent no words/);
    for (const prompt of [
      '('.repeat(5000),
      '1+'.repeat(5000),
      'say '.repeat(5000),
      '“'.repeat(300),
      'list '.repeat(3000),
      '\u{10ffff}',
      '0'.repeat(9000),
    ]) {
      expect(plan(prompt).length).toBeGreaterThan(0);
    }
  });
});
