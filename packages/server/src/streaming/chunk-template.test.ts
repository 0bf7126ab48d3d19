import { describe, expect, test } from 'vitest';
import { textOfChunk } from '@modelwire/ports';
import { chunkTemplate } from './chunk-template.ts';

const wholeChoices = (text: string) => ({ opening: '', choices: text });

function templateOf(chunk: string) {
  const template = chunkTemplate(chunk, wholeChoices);
  if (!template) throw new Error('The chunk gave no template.');
  return template;
}

const chunk = (text: string, rest = '"finish_reason":null}]}') =>
  `{"id":"a","choices":[{"index":0,"delta":{"content":"${text}"},${rest}`;

test('finds the text of a chunk that differs from another only in its text', () => {
  const template = templateOf(chunk('Hello'));
  for (const text of ['', ' world', 'a\\"},\\"finish_reason\\":null}]}', 'tab\\t \\u00e9 日本 \u{1F600}', '\\\\']) {
    expect(textOfChunk(chunk(text), template)).toBe(text);
  }
});

describe('finds no text in a chunk', () => {
  const template = templateOf(chunk('Hello'));
  test.each([
    ['that finishes its choice', chunk('', '"finish_reason":"stop"}]}')],
    ['with usage', chunk('a', '"finish_reason":null}],"usage":{"prompt_tokens":1}}')],
    ['with another id', chunk('a').replace('"id":"a"', '"id":"b"')],
    ['of another choice', chunk('a').replace('"index":0', '"index":1')],
    ['with an invalid escape sequence', chunk('\\x')],
    ['with an incomplete escape sequence', chunk('\\u12')],
    ['with an unescaped control character', chunk('a\nb')],
    ['whose closing quote is escaped', chunk('a\\')],
    ['with something after its end', `${chunk('a')} `],
    ['with another field in its delta', chunk('a","x":"b')],
    ['that ends early', chunk('a').slice(0, -1)],
    ['that is longer than 64 K characters', chunk('a'.repeat(70_000))],
  ])('%s', (_, other) => {
    expect(textOfChunk(other, template)).toBeUndefined();
  });
});

test("ignores an upstream's padding of any length at the end of the chunk", () => {
  const padded = (text: string, padding: string) => chunk(text, `"finish_reason":null}],"obfuscation":"${padding}"}`);
  const template = templateOf(padded('Hello', 'abc'));
  expect(textOfChunk(padded('a', ''), template)).toBe('a');
  expect(textOfChunk(padded('b', 'abcdef'), template)).toBe('b');
  expect(textOfChunk(chunk('c'), template)).toBeUndefined();
  expect(textOfChunk(padded('d', 'x","usage":"y'), template)).toBeUndefined();
});

test.each(['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments'])('finds the text of %s', (name) => {
  const of = (text: string) => `{ "choices": [ { "delta": { "x": 1, "${name}": "${text}" } } ], "id": "a" }`;
  expect(textOfChunk(of('b'), templateOf(of('a')))).toBe('b');
});

test.each([
  ['without text', '{"choices":[{"index":0,"delta":{}}]}'],
  ['that contains the placeholder elsewhere', chunk('a', '"x":"\\u001ftext\\u001f"}]}')],
])('gives no template for a chunk %s', (_, text) => {
  expect(chunkTemplate(text, wholeChoices)).toBeUndefined();
});
