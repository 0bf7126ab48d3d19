import { expect, test } from 'vitest';
import { readTraceContext, traceHeaders } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

const read = (headers: Readonly<Record<string, string>>) => readTraceContext((name) => headers[name] ?? null);

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  // Level 2 of the specification has the flag 2: the trace ID is random.
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-02`, false],
  // Later versions may have more fields.
  [`01-${traceId}-${spanId}-01-more`, true],
])('reads %s', (traceparent, isSampled) => {
  expect(read({ traceparent })).toEqual({ traceId, spanId, isSampled, traceState: undefined });
});

test.each([
  '',
  'no trace',
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
])('ignores the invalid traceparent "%s", and its tracestate', (traceparent) => {
  expect(read({ traceparent, tracestate: 'a=1' })).toBeUndefined();
});

test.each([
  ['a=1,b=2', { tracestate: 'a=1,b=2' }],
  // Longer than 512 characters.
  [`a=1,b=${'1'.repeat(256)},c=${'1'.repeat(256)}`, {}],
  ['a=\xff\xfe,=,,;;', {}],
])('propagates tracestate if it is valid: %j', (tracestate, headers) => {
  const traceparent = `00-${traceId}-${spanId}-01`;
  const context = read({ traceparent, tracestate });
  expect(context && traceHeaders(context)).toEqual({ traceparent, ...headers });
});
