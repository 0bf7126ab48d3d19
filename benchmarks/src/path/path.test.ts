import ts from 'typescript';
import { expect, it } from 'vitest';
import { insertTraceCalls } from './insert-trace-calls.ts';
import { pathOf } from './path.ts';

it('counts files and returns to a file that was left', () => {
  const { files, returns, stretches } = pathOf([
    'a.ts:1 f',
    'a.ts:9 g',
    'b.ts:1 h',
    'a.ts:20 i',
    'c.ts:1 j',
    'b.ts:2 k',
  ]);
  expect({ files, returns }).toEqual({ files: 3, returns: 2 });
  expect(stretches.map(({ functions }) => functions.length)).toEqual([2, 1, 1, 1, 1]);
});

it('inserts a call into functions, methods, accessors and arrow functions with and without a block', () => {
  const text = `function f(): number { return 1; }
class A { #x = 1; constructor() {} get x() { return this.#x; } static async *g() { yield 1; } }
const h = (a: number) => (b: number): object => ({ a, b });
declare function i(): void;`;
  const traced = insertTraceCalls(ts, 'a.ts', text);
  expect(traced).toBe(`function f(): number { traceCall("a.ts:1 f"); return 1; }
class A { #x = 1; constructor() { traceCall("a.ts:2 constructor");} get x() { traceCall("a.ts:2 x"); return this.#x; } static async *g() { traceCall("a.ts:2 g"); yield 1; } }
const h = (a: number) => (traceCall("a.ts:3 h"), (b: number): object => (traceCall("a.ts:3 (anonymous)"), ({ a, b })));
declare function i(): void;`);
});
