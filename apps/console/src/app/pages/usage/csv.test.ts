import { expect, it } from 'vitest';
import { usageToCsv } from './csv.ts';

const sums = {
  requests: 2,
  errors: 1,
  duration_ms: { p50: 30, p95: 70 },
  first_token_ms: { p50: 10, p95: 20 },
  input_tokens: 4,
  cached_tokens: 0,
  output_tokens: 5,
  cost: 0.25,
};

it('has a header, one line per row, and an empty field where there is no value', () => {
  const days = [
    { id: '2026-11-21', ...sums },
    { id: '2026-11-22', ...sums, requests: 0, duration_ms: null, first_token_ms: null },
  ];
  expect(usageToCsv('date', days)).toBe(
    'date,requests,errors,duration_p50_ms,duration_p95_ms,first_token_p50_ms,first_token_p95_ms,' +
      'input_tokens,cached_tokens,output_tokens,cost\r\n' +
      '2026-11-21,2,1,30,70,10,20,4,0,5,0.25\r\n2026-11-22,0,1,,,,,4,0,5,0.25\r\n',
  );
});

it('quotes IDs that contain commas, quotes or line breaks', () => {
  expect(usageToCsv('model', [{ id: 'a "large", model', ...sums }])).toContain('\r\n"a ""large"", model",2,');
});
