import { expect, test } from 'vitest';
import { checkOptionNames } from './check-option.ts';

test('rejects an unknown option with a message that names the known ones', () => {
  checkOptionNames('models[0]', { id: 'a' }, ['id', 'reply']);
  expect(() => checkOptionNames('models[0]', { repyl: 'a' }, ['id', 'reply'])).toThrow(
    new TypeError("models[0] has no option 'repyl'; known options: id, reply"),
  );
});
