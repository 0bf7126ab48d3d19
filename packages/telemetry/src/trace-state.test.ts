import { createTraceState } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isValidTraceState } from './trace-state.ts';

const members = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}=1`);

test.each([
  'a=1',
  'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  ' a=1\t,\tb=2 ',
  'a=1,,b=2,',
  'a= 1 2',
  'tenant@system=1',
  '1tenant@system=1',
  'a_-*/0=!"#$%&\'()*+-./:;<>?@[]^_`{|}~',
  `${'a'.repeat(256)}=1`,
  `a=${'1'.repeat(256)}`,
  members(32).join(','),
  `${members(32).join(',')},,`,
])('accepts %j', (header) => {
  expect(isValidTraceState(header)).toBe(true);
});

test.each([
  'a=\xff\xfe,=,,;;',
  'a=1,b',
  'a',
  '=1',
  'a=',
  'a= ',
  'a=1=2',
  'a =1',
  'A=1',
  '1a=1',
  'a@b@c=1',
  '@system=1',
  'tenant@=1',
  'tenant@1system=1',
  'a=1\xa0',
  'a=1\v',
  'a=\x7f',
  '',
  ' ,\t,',
  `${'a'.repeat(257)}=1`,
  `a=${'1'.repeat(257)}`,
  `tenant@${'s'.repeat(15)}=1`,
  `${'t'.repeat(242)}@system=1`,
  members(33).join(','),
  `a=1,b=${'1'.repeat(256)},c=${'1'.repeat(256)}`,
])('rejects %j', (header) => {
  expect(isValidTraceState(header)).toBe(false);
});

/** Whether the OpenTelemetry API, which ignores single invalid members, keeps a member. */
const isKept = (member: string): boolean => createTraceState(member).serialize() === member;

test('accepts a header exactly if the OpenTelemetry API keeps each of its members', () => {
  const text = (characters: string) => fc.string({ unit: fc.constantFrom(...Array.from(characters)), maxLength: 4 });
  const key = fc.oneof(
    text('az0_*/-'),
    text('aZ @='),
    fc.tuple(text('az09'), text('az09')).map((ids) => ids.join('@')),
  );
  const member = fc.oneof(
    fc.constantFrom('', ' ', 'a=1', 'tenant@system=1'),
    fc.tuple(key, text('a1 ~!=\xff\x7f')).map(([name, value]) => `${name}=${value}`),
    text('a=, \t;'),
  );
  const header = fc.array(member, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(','));
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        header,
        fc.array(fc.constantFrom('a=1', 'b@c=2 ', ''), { maxLength: 40 }).map((parts) => parts.join(',')),
      ),
      (value) => {
        const parts = value.split(',').map((part) => part.trim());
        const nonEmpty = parts.filter((part) => part !== '');
        const isValid = nonEmpty.length > 0 && nonEmpty.length <= 32 && value.length <= 512 && nonEmpty.every(isKept);
        if (isValid) accepted++;
        expect(isValidTraceState(value)).toBe(isValid);
      },
    ),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
