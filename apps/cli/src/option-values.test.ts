import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import {
  bytesFrom,
  collect,
  collectFrom,
  collectJsonPairs,
  collectPairs,
  numberFrom,
  orNone,
  secondsFrom,
  unixSecondsFrom,
} from './option-values.ts';

/** The value of an option that is given these texts, or the message of the error. */
function parse<T>(parser: (text: string, previous: T) => T, ...texts: readonly string[]): unknown {
  const command = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .option('--x <value>', '', parser);
  try {
    return command
      .parse(
        texts.flatMap((text) => ['--x', text]),
        { from: 'user' },
      )
      .opts().x;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

describe('The value of an option', () => {
  test('can be a number in a range', () => {
    expect(parse(numberFrom({}), '-0.5')).toBe(-0.5);
    expect(parse(numberFrom({ min: 1, max: 5, isInteger: true }), '5')).toBe(5);
    for (const text of ['7', '0', '1.5', 'x']) {
      expect(parse(numberFrom({ min: 1, max: 5, isInteger: true }), text)).toBe(
        `error: option '--x <value>' argument '${text}' is invalid. Expected an integer from 1 to 5.`,
      );
    }
    expect(parse(numberFrom({}), '')).toContain('Expected a number.');
    expect(parse(numberFrom({ min: 0 }), '-1')).toContain('Expected a number of at least 0.');
  });

  test('can be given several times', () => {
    expect(parse(collect, 'a', 'b')).toEqual(['a', 'b']);
    expect(parse(collect)).toBeUndefined();
    expect(parse(collectPairs, 'a=1', 'b=x=y')).toEqual({ a: '1', b: 'x=y' });
    expect(parse(collectPairs, '=1')).toContain('Expected name=value.');
    expect(parse(collectJsonPairs, 'a=1', 'b=[true]', 'c=text')).toEqual({ a: 1, b: [true], c: 'text' });
    expect(parse(collectFrom(['day', 'key']), 'key', 'day')).toEqual(['key', 'day']);
    expect(parse(collectFrom(['day', 'key']), 'week')).toContain('Allowed choices are day, key.');
  });

  test('can be none, a size or a duration', () => {
    expect([parse(orNone(bytesFrom), 'none'), parse(orNone(bytesFrom), '10kB')]).toEqual(['none', 10_000]);
    expect(parse(orNone(bytesFrom), 'much')).toContain('1000000, or none.');
    expect(parse(bytesFrom, 'much')).toContain('Expected a size such as');
    expect([parse(secondsFrom, '30d'), parse(secondsFrom, '12h'), parse(secondsFrom, '5m')]).toEqual([
      2_592_000, 43_200, 300,
    ]);
    expect(parse(secondsFrom, '1 h')).toContain('Expected a duration such as');
  });

  test('can be a date in UTC, a time with or without an offset, or Unix seconds', () => {
    expect(parse(unixSecondsFrom, '2026-11-23')).toBe(1795392000);
    expect(parse(unixSecondsFrom, '2026-11-23T09:30:00+01:00')).toBe(1795422600);
    expect(parse(unixSecondsFrom, '1795392000')).toBe(1795392000);
    expect(parse(unixSecondsFrom, '2026-11-23T09:30:00')).toBe(new Date(2026, 10, 23, 9, 30).getTime() / 1000);
  });

  test.each(['yesterday', '23.11.2026', '2026-13-01', '-5', ''])('%j is no time', (text) => {
    expect(parse(unixSecondsFrom, text)).toContain('Expected a date such as');
  });
});
