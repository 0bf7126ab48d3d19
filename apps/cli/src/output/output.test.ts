import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fakeTerminal } from '../testing/fake-terminal.ts';
import { createPrinter, write } from './printer.ts';
import { barLine, createProgress } from './progress.ts';
import { createStyle, wantsColor } from './style.ts';
import { alignedTable, tabbedTable } from './table.ts';
import { bytesText, durationText, parseBytes } from './units.ts';
import { fit, widthOf } from './width.ts';

const columns = [
  { head: 'id', cell: ({ id }: { id: string; name: string }) => id },
  { head: 'name', shrinks: true as const, cell: ({ name }: { id: string; name: string }) => name },
];
const rows = [
  { id: '1', name: '日本語' },
  { id: '22', name: 'a rather long\n\u001b[2Jname' },
];

describe('A table', () => {
  test('is aligned, also with wide letters, and truncated to the window', () => {
    expect(alignedTable(rows, columns, 80, createStyle(false))).toBe('id  name\n1   日本語\n22  a rather long name\n');
    expect(alignedTable(rows, columns, 14, createStyle(false))).toBe('id  name\n1   日本語\n22  a rather …\n');
  });

  test('has the colors of its cells, which take no space', () => {
    const colored = [
      { ...columns[0]!, color: ({ id }: { id: string }) => (id === '1' ? ('red' as const) : undefined) },
    ];
    const [head, first, second] = alignedTable(rows, [...colored, columns[1]!], 80, createStyle(true)).split('\n');
    expect([head, first]).toEqual(['\u001b[2mid  name\u001b[22m', '\u001b[31m1\u001b[39m   日本語']);
    expect(second).toBe('22  a rather long name');
  });

  test('in a pipe is tab-separated, without a header, and not truncated', () => {
    expect(tabbedTable(rows, columns)).toBe('1\t日本語\n22\ta rather long name\n');
  });
});

test.each([
  ['abc', 3],
  ['日本', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['', 0],
])('%s takes %i cells', (text, cells) => {
  expect(widthOf(text)).toBe(cells);
});

test('A text is truncated between letters, with an ellipsis', () => {
  expect(fit('日本語', 5)).toBe('日本…');
  expect(fit('日本語', 6)).toBe('日本語');
  expect(fit('abc', 0)).toBe('');
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9_960_000, '10 MB'],
  [999_999, '1.0 MB'],
  [8_000_000_000, '8.0 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([
  ['16MiB', 16 * 1024 ** 2],
  ['64MB', 64_000_000],
  ['1.5k', 1500],
  ['100', 100],
  ['2 GiB', 2 * 1024 ** 3],
  ['many', undefined],
  ['-1', undefined],
  ['1e9', undefined],
])('the size %s is %s bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test('Durations have a suitable unit', () => {
  expect([8, 90, 7200, 200_000].map(durationText)).toEqual(['8 s', '2 min', '2 h', '2 d']);
});

describe('Progress', () => {
  const state = { done: 30_000_000, total: 60_000_000, label: 'film.mov', unit: 'bytes' as const };

  test('is a bar with the speed and the remaining time, within the window', () => {
    const line = barLine(state, 10_000, 80);
    expect(line).toBe('film.mov [#############............]  50%  30 MB of 60 MB  3.0 MB/s  10 s left');
    for (const width of [30, 40, 60, 100])
      expect(widthOf(barLine({ ...state, label: 'x'.repeat(200) }, 10_000, width))).toBeLessThanOrEqual(
        Math.max(width, 60),
      );
  });

  test('excludes earlier work from the speed', () => {
    expect(barLine({ ...state, alreadyDone: 20_000_000 }, 10_000, 100)).toContain('1.0 MB/s');
  });

  test.each([
    ['stderr is not a terminal', {}, {}, false],
    ['--quiet is set', { stderr: true }, {}, true],
    ['the terminal is dumb', { stderr: true }, { TERM: 'dumb' }, false],
  ])('is not shown if %s', (_, tty, env, quiet) => {
    const terminal = fakeTerminal({ tty, env });
    createProgress(terminal, quiet).update(state);
    expect(terminal.err()).toBe('');
  });

  test('is only on stderr, and removed before other output', async () => {
    const terminal = fakeTerminal({ tty: { stderr: true } });
    const print = createPrinter(terminal, { json: false, quiet: false, noColor: true });
    print.progress.update(state);
    await print.text('done\n');
    expect(terminal.out()).toBe('done\n');
    expect(terminal.err()).toMatch(/film\.mov.*\r\u001b\[K$/);
  });
});

describe('Colors', () => {
  test.each([
    [{}, { stdout: true }, false, true],
    [{}, {}, false, false],
    [{ NO_COLOR: '1' }, { stdout: true }, false, false],
    [{ NO_COLOR: '' }, { stdout: true }, false, true],
    [{ TERM: 'dumb' }, { stdout: true }, false, false],
    [{ FORCE_COLOR: '1' }, {}, false, true],
    [{}, { stdout: true }, true, false],
  ])('with %j, a terminal %j and --no-color %s are %s', (env, tty, noColor, expected) => {
    expect(wantsColor(fakeTerminal({ env, tty }), 'stdout', noColor)).toBe(expected);
  });
});

describe('Output', () => {
  test('contains no secret', async () => {
    const terminal = fakeTerminal();
    const print = createPrinter(terminal, { json: true, quiet: false, noColor: true });
    print.hide('sk-secret-1');
    print.note('a sk-secret-1 b');
    print.error('c sk-secret-1', 'd sk-secret-1');
    print.problem({ e: 'sk-secret-1' });
    await print.value({ f: 'sk-secret-1' });
    expect(terminal.out() + terminal.err()).not.toContain('sk-secret');
  });

  test('waits for a slow reader, and fails if the reader exits', async () => {
    const slow = new PassThrough({ highWaterMark: 1 });
    let done = false;
    const writing = write(slow, 'abc').then(() => (done = true));
    await Promise.resolve();
    expect(done).toBe(false);
    slow.resume();
    await writing;
    slow.destroy();
    await expect(write(slow, 'x')).rejects.toMatchObject({ code: 'EPIPE' });
  });
});
