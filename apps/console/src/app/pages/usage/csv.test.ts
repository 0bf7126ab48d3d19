import { expect, it } from 'vitest';
import { usageToCsv } from './csv.ts';

it('has a header, one line per day, and an empty field where there is no value', () => {
  const sums = { requests: 2, errors: 1, mean_duration_ms: 30, input_tokens: 4, cached_tokens: 0, output_tokens: 5 };
  const days = [
    { date: '2026-11-21', ...sums },
    { date: '2026-11-22', ...sums, requests: 0, mean_duration_ms: null },
  ];
  expect(usageToCsv(days)).toBe(
    'date,requests,errors,mean_duration_ms,input_tokens,cached_tokens,output_tokens\r\n' +
      '2026-11-21,2,1,30,4,0,5\r\n2026-11-22,0,1,,4,0,5\r\n',
  );
});
