import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requestTypesSource, requestTypesUrl } from './request-types.ts';

test('the types of requests are generated from the schemas as they are; npm run docs writes them', async () => {
  expect(readFileSync(requestTypesUrl, 'utf8')).toBe(await requestTypesSource());
});
