import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiTypes } from './api-types.ts';

test('the types of requests and responses are generated from the schemas as they are; npm run docs writes them', async () => {
  for (const { path, source } of await apiTypes()) expect(readFileSync(path, 'utf8')).toBe(source);
});
