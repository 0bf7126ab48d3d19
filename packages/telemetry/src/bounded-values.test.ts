import { expect, test } from 'vitest';
import { createBoundedLabels, createBoundedValues } from './bounded-values.ts';

test('values after the first become other, except reserved ones', () => {
  const bound = createBoundedValues({ max: 2, reserved: ['reserved'], isAllowed: (value) => value !== 'refused' });
  expect(['a', 'refused', 'b', 'c', 'a', 'reserved'].map(bound)).toEqual(['a', 'other', 'b', 'other', 'a', 'reserved']);
});

test('combinations of labels after the first 5,000 become other', () => {
  const bound = createBoundedLabels();
  for (let index = 0; index < 5000; index++) bound({ model: `model-${index}`, project: 'a' });
  expect(bound({ model: 'model-1', project: 'b' })).toEqual({ model: 'other', project: 'other' });
  expect(bound({ model: 'model-1', project: 'a' })).toEqual({ model: 'model-1', project: 'a' });
});
