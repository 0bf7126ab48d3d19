import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { median, rotated } from '../statistics.ts';
import { short, table } from '../table.ts';
import { targetTable } from '../targets.ts';
import { layOutBuiltServer } from './built-server.ts';
import { measureStart } from './measure-start.ts';
import type { Start } from './measure-start.ts';

const rawServer = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')`;

/** Starts of the published server, compared with a bare `node:http` server. */
export async function startSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const { main, folder, remove } = layOutBuiltServer();
  const idleMs = quick ? 500 : 10_000;
  const data = join(folder, 'data');
  mkdirSync(data);
  const withCache = (cache: string, idle: number) => () =>
    measureStart({ args: [main], cwd: data, env: { NODE_COMPILE_CACHE: cache }, idleMs: idle });
  const subjects = [
    { title: '**Modelwire**, compile cache of an earlier start', run: withCache(join(folder, 'cache'), idleMs) },
    {
      title: '**Modelwire**, empty compile cache',
      run: () => withCache(mkdtempSync(join(folder, 'cache-')), idleMs)(),
    },
    {
      title: '`node:http` alone',
      run: () => measureStart({ args: ['--eval', rawServer], cwd: data, env: {}, idleMs }),
    },
  ];
  try {
    // Creates the database, the API key and the compile cache.
    await withCache(join(folder, 'cache'), 0)();
    const starts = subjects.map((): Start[] => []);
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      for (const index of rotated([0, 1, 2], round)) {
        const start = await subjects[index]?.run();
        if (start) starts[index]?.push(start);
        say(`round ${round + 1}: ${subjects[index]?.title}: ${JSON.stringify(start)}`);
      }
    }
    return report(subjects.map(({ title }, index) => ({ title, starts: starts[index] ?? [] })));
  } finally {
    remove();
  }
}

function report(subjects: readonly { readonly title: string; readonly starts: readonly Start[] }[]): string {
  const rows = subjects.map(({ title, starts }) => ({
    title,
    readyMs: median(starts.map((start) => start.readyMs)),
    cpuMs: median(starts.map((start) => start.cpuMs)),
    megabytes: median(starts.map((start) => start.rss)) / 2 ** 20,
  }));
  const [warm] = rows;
  return [
    table(
      ['', 'first response, ms', 'CPU time until then, ms', 'resident memory, MB'],
      rows.map(({ title, readyMs, cpuMs, megabytes }) => [title, short(readyMs), short(cpuMs), short(megabytes)]),
    ),
    targetTable([
      { what: 'start to the first response', wanted: { below: 500 }, unit: 'ms', reached: warm?.readyMs ?? NaN },
      {
        what: 'resident memory before the first request',
        wanted: { atMost: 130 },
        unit: 'MB',
        reached: warm?.megabytes ?? NaN,
      },
    ]),
  ].join('\n\n');
}
