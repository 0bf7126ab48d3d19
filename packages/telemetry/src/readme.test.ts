import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import * as telemetry from './index.ts';

test('the example of the README serves metrics', async () => {
  const example = await readmeExample(import.meta.url);
  const [[text] = []] = await evaluateExample(example, { Response, Registry, performance, ...telemetry });
  expect(text).toContain('modelwire_file_bytes_total{source="file"} 100');
});
