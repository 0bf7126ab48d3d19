import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import * as telemetry from './index.ts';

test('the example of the README serves metrics', async () => {
  const { response, stop } = await evaluateExample(await readmeExample(import.meta.url), { ...telemetry }, [
    'response',
    'stop',
  ]);
  expect(response).toBeInstanceOf(Response);
  expect(stop).toBeTypeOf('function');
});
