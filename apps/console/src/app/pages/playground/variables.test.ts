import { expect, it } from 'vitest';
import { replaceInMessage, replaceVariables, variablesIn } from './variables.ts';

it('finds each variable of the texts once', () => {
  expect(variablesIn(['In {{city}}, {{ city }} and {{tone}}', '{{name_1}} {{}} {{1}} { {a} }'])).toEqual([
    'city',
    'tone',
    'name_1',
  ]);
});

it('replaces variables that have a value, and leaves the others', () => {
  const values = { city: 'Lyon {{tone}} $&', tone: '' };
  expect(replaceVariables('{{city}}, {{ tone }}, {{toString}}', values)).toBe(
    'Lyon {{tone}} $&, {{ tone }}, {{toString}}',
  );
});

it('replaces variables in messages of the user only', () => {
  const values = { city: 'Lyon' };
  const image = { type: 'image_url', image_url: { url: 'data:{{city}}' } } as const;
  const parts = [{ type: 'text', text: 'In {{city}}' } as const, image];
  expect(replaceInMessage({ role: 'user', content: parts }, values)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'In Lyon' }, image],
  });
  const reply = { role: 'assistant', content: '{{city}}' } as const;
  expect(replaceInMessage(reply, values)).toBe(reply);
});
