import type { ChatRequest } from '@modelwire/ports';
import { describe, expect, test } from 'vitest';
import { readConversation } from '../prompt/conversation.ts';
import { textReply } from './text-reply.ts';

type Messages = ChatRequest['messages'];

/** The most likely reply. */
function reply(prompt: string | Messages, verbosity: 'low' | 'medium' | 'high' = 'medium'): string {
  const messages: Messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
  return textReply(readConversation({ messages, search_results: undefined }), verbosity)
    .pieces.map(([first]) => first)
    .join('');
}
const withSystemMessage = (instruction: string, prompt: string): Messages => [
  { role: 'system', content: instruction },
  { role: 'user', content: prompt },
];

describe('the reply', () => {
  test.each([
    ['Hello!', 'Hello! This is the Modelwire simulator. How can I help you today?'],
    ['Say this is a test', 'This is a test.'],
    ['Say "over and out"', 'over and out'],
    ['Repeat after me: one two three', 'one two three'],
    ['Reply with exactly: OK', 'OK'],
    ['Repeat the word tick 5 times', 'tick tick tick tick tick'],
    ['Echo <|endoftext|> please', '<|endoftext|> please'],
    ['Count to 5', '1, 2, 3, 4, 5.'],
    ['Count from three to one', '3, 2, 1.'],
    ['List three colours', 'Here is a simulated list of 3:\n\n1. Colours 1\n2. Colours 2\n3. Colours 3'],
    ['What is 17 + 25? Answer in one word.', '42'],
  ])('to %j is %j', (prompt, expected) => {
    expect(reply(prompt)).toBe(expected);
  });

  test.each([
    ['What is 2+2?', '2 + 2 = 4.'],
    ['3 plus 4 times 2', '3 + 4 * 2 = 11.'],
    ['(1 + 2) * -3', '(1 + 2) * -3 = -9.'],
    ['what is 15% of 80', '15 / 100 * 80 = 12.'],
    ['2^3^2', '2 ^ 3 ^ 2 = 512.'],
    ['10 - 4 - 3', '10 - 4 - 3 = 3.'],
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3.'],
    ['Sum of 3 and 4', '3 + 4 = 7.'],
    ['5 / 0', '5 / 0 has no value: division by zero is undefined.'],
  ])('to the sum %j is %j', (prompt, expected) => {
    expect(reply(prompt, 'low')).toBe(expected);
  });

  test('does not evaluate dates, telephone numbers and single numbers as sums', () => {
    for (const prompt of ['2026-11-21', 'Call 555', 'I have 3 cats']) expect(reply(prompt)).toContain('simulator');
  });

  test('identifies itself as the simulator when the prompt asks', () => {
    for (const prompt of [
      'Who are you?',
      'what are you',
      'Are you ChatGPT?',
      'What is your name?',
      'Which model are you?',
    ]) {
      expect(reply(prompt)).toMatch(/^I am the Modelwire simulator, not a real language model\./);
    }
  });

  test('quotes the prompt and the earlier messages, and says that it is a template, if no other template matches', () => {
    expect(reply('Explain quantum entanglement')).toBe(
      'You wrote: “Explain quantum entanglement”. I am the Modelwire simulator, so this reply is a template. A real model would answer here.',
    );
    const messages: Messages = [
      { role: 'user', content: 'My name is Ana.' },
      { role: 'assistant', content: 'Hello, Ana!' },
      { role: 'user', content: 'What is my name?' },
    ];
    expect(reply(messages)).toContain('Before that you wrote: “My name is Ana”.');
  });

  test.each([
    ['Answer in one word.', 'What is 3*7?', '21'],
    ['Always answer "no".', 'Can you fly?', 'no'],
    ['Be concise.', 'Hello', 'Hello! How can I help you today?'],
  ])('follows %j', (instruction, prompt, expected) => {
    expect(reply(withSystemMessage(instruction, prompt))).toBe(expected);
  });

  test('is longer with higher verbosity', () => {
    const [low, medium, high] = (['low', 'medium', 'high'] as const).map(
      (verbosity) => reply('Who are you?', verbosity).length,
    );
    expect(low).toBeLessThan(medium ?? 0);
    expect(medium).toBeLessThan(high ?? 0);
  });

  test('joins text parts, and accepts any conversation', () => {
    const content = ['Count ', 'to 3'].map((text) => ({ type: 'text' as const, text }));
    expect(reply([{ role: 'user', content }])).toBe('1, 2, 3.');
    expect(reply('')).toMatch(/^Your message has no text/);
    expect(reply([{ role: 'system', content: 'x' }])).toMatch(/^Your message has no text/);
    for (const prompt of [
      '('.repeat(5000),
      '1+'.repeat(5000),
      'say '.repeat(5000),
      '“'.repeat(300),
      'list '.repeat(3000),
      '\u{10ffff}',
      '0'.repeat(9000),
    ]) {
      expect(reply(prompt).length).toBeGreaterThan(0);
    }
  });
});
