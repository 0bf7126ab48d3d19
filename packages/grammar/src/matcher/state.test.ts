import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { compileJsonSchema, compileLark, compileRegex } from '../index.ts';
import type { State } from '../index.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a state', () => {
  it('is immutable', () => {
    const start = compileRegex('ab|ac').start();
    const a = start.advance('a');
    expect(a?.advance('b')?.canEnd()).toBe(true);
    expect(a?.advance('c')?.canEnd()).toBe(true);
    expect(start.advance('b')).toBeUndefined();
    expect(start.advance('ab')).toBe(a?.advance('b'));
  });

  it('accepts bytes split anywhere, even within characters', () => {
    const bytes = encode('é😀');
    let state = compileRegex('[é]\\p{Emoji}').start();
    for (const byte of bytes) {
      expect(state.nextBytes()).toContain(byte);
      const next = state.advance(Uint8Array.of(byte));
      expect(next).toBe(state.advanceByte(byte));
      state = next!;
    }
    expect(state.mustEnd()).toBe(true);
    expect(state.advance('')).toBe(state);
  });

  it('rejects invalid UTF-8', () => {
    const start = compileRegex('(?s).*').start();
    for (const bytes of [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff]]) {
      expect(start.advance(Uint8Array.from(bytes))).toBeUndefined();
    }
  });

  it('reports whether the text can end and whether it must', () => {
    const start = compileRegex('a?b?').start();
    expect([start.canEnd(), start.mustEnd()]).toEqual([true, false]);
    const end = start.advance('ab')!;
    expect([end.canEnd(), end.mustEnd(), end.nextBytes()]).toEqual([true, true, []]);
    const open = compileRegex('ab').start();
    expect([open.canEnd(), open.mustEnd()]).toEqual([false, false]);
  });

  it('returns the forced text in whole characters, up to a choice or the end', () => {
    expect(compileRegex('abc(d|e)').start().forced()).toBe('abc');
    expect(compileRegex('x(é|è)').start().forced()).toBe('x');
    expect(compileRegex('xé').start().forced()).toBe('xé');
    expect(compileRegex('abc(de)?').start().forced()).toBe('abc');
    expect(compileRegex('xé').start().advance(Uint8Array.of(0x78, 0xc3))?.forced()).toBe('');
    const endless = compileLark('start: "a" start | "b"').start();
    expect(endless.forced()).toBe('');
    expect(compileRegex('a{9000}').start().forced()).toBe('a'.repeat(4096));
  });

  it('returns a shortest completion', () => {
    expect(compileRegex('a{5}|b').start().shortestCompletion()).toBe('b');
    expect(compileRegex('a{5}|b').start().advance('a')?.shortestCompletion()).toBe('aaaa');
    expect(compileRegex('a*').start().shortestCompletion()).toBe('');
    const list = compileLark('start: "(" (start ("," start)*)? ")"').start();
    expect(list.advance('(((),(')?.shortestCompletion()).toBe('))))'.slice(1));
    const half = compileRegex('é').start().advance(Uint8Array.of(0xc3));
    expect(half?.completionBytes()).toEqual(Uint8Array.of(0xa9));
    const schema = {
      anyOf: [
        { type: 'string', const: 'long constant' },
        { type: 'array', items: {}, minItems: 2 },
      ],
    };
    expect(compileJsonSchema(schema).start().shortestCompletion()).toBe('[0,0]');
  });

  it('does not grow the stack for right-recursive lists, and recognizes equal states', () => {
    const start = compileLark('start: "a" start | "b"').start();
    const a = start.advance('a');
    expect(a?.advance('a'.repeat(5000))).toBe(a?.advance('a'));
    const json = compileJsonSchema({ type: 'array', items: { type: 'object' } }).start();
    expect(json.advance('[{},')).toBe(json.advance('[{},{"a":[[]]},'));
  });

  it('can be followed by more states than are cached', () => {
    const start = compileLark('start: "(((" start ")))" | "x"').start();
    const deep = start.advance('('.repeat(27_000));
    const end = deep?.advance('x' + ')'.repeat(27_000));
    expect([end?.mustEnd(), end?.advance(')')]).toEqual([true, undefined]);
  });

  it('can be garbage collected after the cache was cleared while its grammar is in use', async () => {
    setFlagsFromString('--expose-gc');
    const start = compileLark('start: "A" r ";" | "B" r ";"\nr: "(((" r ")))" | "x"').start();
    const nested = `${'('.repeat(15_000)}x${')'.repeat(15_000)};`;
    // Weak references keep their target until the end of the turn in which they were read.
    const reach = (text: string): WeakRef<State> => new WeakRef(start.advance(text)!);
    const early = reach(`A${nested}`);
    const late = reach(`B${nested}`);
    await setImmediate();
    runInNewContext('gc()');
    expect([early.deref(), late.deref()?.mustEnd()]).toEqual([undefined, true]);
    expect(start.advance(`A${nested}`)?.mustEnd()).toBe(true);
  });

  it('throws a GrammarError above 10,000 nested calls', () => {
    const start = compileLark('start: "(" start ")" | "x"').start();
    const deep = start.advance('('.repeat(9_990));
    expect(deep?.advance('x' + ')'.repeat(9_990))?.mustEnd()).toBe(true);
    expect(() => start.advance('('.repeat(11_000))).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  describe('after the opening brace of alternative objects', () => {
    const alternatives = (count: number, members: number) =>
      Array.from({ length: count }, (_, index) => ({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: members }, (_, at) => [`p${at}`, { const: `${index} ${at}` }]),
        ),
        additionalProperties: false,
      }));
    const compile = (anyOf: readonly object[]) =>
      compileJsonSchema({ anyOf }, { unspecified: 'allow', propertyOrder: 'any' });

    it.each([
      [110, 20],
      [3, 700],
    ])('rejects more than 2000 properties: %d objects of %d', (count, members) => {
      const message = /too many active terminals/;
      expect(() => compile(alternatives(count, members))).toThrow(message);
      expect(() => compile([{ type: 'string' }, ...alternatives(count, members)])).toThrow(message);
    });

    it.each([
      [110, 17],
      [2, 990],
    ])('accepts up to 2000 properties: %d objects of %d', (count, members) => {
      const start = compile([{ type: 'string' }, ...alternatives(count, members)]).start();
      expect(start.advance('"x"')?.mustEnd()).toBe(true);
      const last = `{"p0": "${count - 1} 0", "p${members - 1}": "${count - 1} ${members - 1}"}`;
      expect(start.advance(last)?.mustEnd()).toBe(true);
    });

    it('counts the check of their properties as work', () => {
      const work = (members: number): number => compile(alternatives(50, members)).cost.work;
      // With 18 properties, the grammar is too small to need the check.
      expect(work(19) - work(18)).toBeGreaterThan(work(18) - work(17) + 50 * 19);
    });
  });
});
