import { expect, test } from 'vitest';
import { contentText } from './content-text.ts';

test('joins the texts and refusals of message content', () => {
  expect(contentText('Hello')).toBe('Hello');
  expect(contentText([{ type: 'text', text: 'He' }, { type: 'image_url' }, { type: 'refusal', refusal: 'llo' }])).toBe(
    'Hello',
  );
  expect([contentText(null), contentText(undefined), contentText([])]).toEqual(['', '', '']);
});
