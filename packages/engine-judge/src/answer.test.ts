import fc from 'fast-check';
import type { ChatEvent } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { scoresOf } from './answer.ts';
import { categories } from './categories.ts';
import { createJudge } from './index.ts';
import { idle, latest, scripted, text, verdict } from './testing/scripted.ts';

const said = (event: string): ChatEvent => ({ type: 'text', choice: 0, text: event });
const finish = (reason: 'stop' | 'length' | 'content_filter'): ChatEvent => ({ type: 'finish', choice: 0, reason });
const without = (key: string, name: string): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(verdict(key)) as object).filter(([one]) => one !== name)),
  );

test.each<[string, (key: string) => string | ChatEvent[]]>([
  ['nothing', () => ''],
  ['words', () => 'This text is fine.'],
  ['no verdict', () => '{"flagged":false}'],
  ['a list', (key) => `[${verdict(key)}]`],
  ['a category missing', (key) => without(key, 'illicit')],
  ['no key', (key) => without(key, 'key')],
  ['a wrong key', () => verdict('000000000000')],
  ['a category too many', (key) => verdict(key, { rudeness: 0 })],
  ['a score as a string', (key) => verdict(key, { hate: '0.1' })],
  ['a score of null', (key) => verdict(key, { hate: null })],
  ['a score beyond numbers', (key) => verdict(key).replace('"hate":0', '"hate":1e999')],
  ['words around the JSON that was asked for', (key) => `Here: ${verdict(key)}`],
  ['JSON cut short', (key) => verdict(key).slice(0, -5)],
  ['an answer cut short', (key) => [said(verdict(key)), finish('length')]],
  ['an answer that was filtered', (key) => [said(verdict(key)), finish('content_filter')]],
  ['an answer without an end', (key) => [said(verdict(key))]],
  ['a refusal', () => [{ type: 'refusal', choice: 0, text: 'No.' }, finish('stop')]],
  [
    'a tool call',
    (key) => [
      { type: 'tool_call', choice: 0, index: 0, id: 'c', kind: 'function', name: 'f' },
      said(verdict(key)),
      finish('stop'),
    ],
  ],
  ['an answer without bounds', (key) => [said(`${verdict(key)}${' '.repeat(70_000)}`), finish('stop')]],
])('is asked again and then is a 502, never a verdict: %s', async (_, answer) => {
  const engine = scripted(({ key }) => answer(key));
  const asked = createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  await expect(asked).rejects.toMatchObject({ name: 'RequestError', status: 502, code: 'judge_malformed' });
  expect(engine.seen).toHaveLength(3);
});

test('a retry can return the verdict; it uses another key and a higher temperature', async () => {
  const engine = scripted(({ key, attempt }) => (attempt === 0 ? 'Sorry?' : verdict(key, { hate: 0.9 })));
  const [one] = await createJudge({ engine, model: 'm' }).moderate({ model: latest, inputs: [text('a')] }, idle);
  expect(one?.hate?.flagged).toBe(true);
  expect(engine.seen.map(({ request }) => request.temperature)).toEqual([0, 0.5]);
  expect(engine.seen[0]!.request.messages).not.toEqual(engine.seen[1]!.request.messages);
});

test('uses the last verdict in the text of a model without JSON', () => {
  const loud = `<think>{"a":1} perhaps ${verdict('k', { hate: 0.1 })}</think>\n\`\`\`json\n${verdict('k', { hate: 0.7 })}\n\`\`\``;
  expect(scoresOf(loud, 'k', 'text')?.hate).toBe(0.7);
  expect(scoresOf(`${verdict('k', { hate: 0.7 })} not ${verdict('other')}`, 'k', 'text')?.hate).toBe(0.7);
  expect(scoresOf(loud, 'k', 'json_object')).toBeUndefined();
});

test('returns all scores within 0 and 1 or none, for any reply', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom('key', ...categories), fc.oneof(fc.double(), fc.constant('k')))
      .map((one) => JSON.stringify(one)),
    fc
      .tuple(...categories.map(() => fc.double()))
      .map((all) => verdict('k', Object.fromEntries(all.map((score, at) => [categories[at]!, score])))),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom('text', 'json_object', 'json_schema'), (answer, format) => {
      const scores = scoresOf(answer, 'k', format);
      return !scores || categories.every((name) => scores[name] >= 0 && scores[name] <= 1);
    }),
  );
});
