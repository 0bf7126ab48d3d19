// Runs the server under mixed load, fuzzing and outages of its dependencies, and checks its guarantees: `npm run soak -- --help`.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { conditions } from '../machine.ts';
import { createApi } from './api.ts';
import { openDeployment } from './deployment.ts';
import { createFindings } from './findings.ts';
import { fuzz } from './fuzz.ts';
import { createLedger } from './ledger.ts';
import { createRandom } from './random.ts';
import { markdownOf, resultOf } from './result.ts';
import { verify } from './verify.ts';
import { mix, unlessRefused } from './workloads.ts';
import type { Soak, Workload } from './workloads.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    minutes: { type: 'string', default: '20' },
    storage: { type: 'string', default: 'postgres' },
    seed: { type: 'string', default: '1' },
    pgbouncer: { type: 'boolean', default: false },
    outages: { type: 'string', default: 'all' },
    output: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    'Usage: npm run soak -- [--minutes 20] [--storage postgres|sqlite] [--pgbouncer] [--seed 1] [--outages all|failover|none] [--output FILE] [--json FILE]\n' +
      'Exits with 1 when something acknowledged was lost, an error had no code, a stream had no end,\n' +
      'the event loop stalled for more than 200 ms or memory grew.\n',
  );
  process.exit(0);
}
if (values.storage !== 'postgres' && values.storage !== 'sqlite') {
  throw new Error(`--storage takes postgres or sqlite, not '${values.storage}'`);
}
if (!['all', 'failover', 'none'].includes(values.outages)) {
  throw new Error(`--outages takes all, failover or none, not '${values.outages}'`);
}
const seconds = Number(values.minutes) * 60;
if (!(seconds > 0)) throw new Error(`--minutes takes a positive number, not '${values.minutes}'`);

const findings = createFindings();
const deployment = await openDeployment(values.storage, { usesPgBouncer: values.pgbouncer });
const random = createRandom(Number(values.seed));
const ledger = createLedger();
const stopping = new AbortController();
const urls = deployment.replicas.map(({ url }) => url);
const api = createApi(urls, findings, () => deployment.isOutage());
const soak: Soak = { ...api, urls, random, ledger, findings, signal: stopping.signal };
const startedAt = Date.now();

async function loop(work: Workload, pauseMs: number): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      await unlessRefused(work(soak));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
      findings.add(`a connection failed: ${String(error)}`, cause);
    }
    await sleep(pauseMs * (0.5 + random.next()), undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

const loops = mix.flatMap(({ run, loops: count, pauseMs }) => Array.from({ length: count }, () => loop(run, pauseMs)));
loops.push(loop(fuzz, 20), loop(fuzz, 20));
const outages =
  values.outages === 'none'
    ? Promise.resolve()
    : deployment.breakAtRandom(random, { signal: stopping.signal, onlyFailover: values.outages === 'failover' });
const progress = setInterval(() => {
  const done = Math.round((Date.now() - startedAt) / 1000);
  const memory = deployment.replicas.map(({ rss }) => Math.round((rss.at(-1) ?? 0) / 2 ** 20)).join(' and ');
  process.stderr.write(
    `${String(done)} s of ${String(seconds)}: ${memory} MB, ${String(findings.all.size)} findings\n`,
  );
}, 30_000);
await sleep(seconds * 1000);
stopping.abort();
await Promise.all([...loops, outages]);
await deployment.repair();
clearInterval(progress);
process.stderr.write('load ended; reading back what was acknowledged\n');
const verified = await verify(soak);

const result = resultOf({ when: conditions([]), seconds, deployment, findings, ledger, verified });
const markdown = markdownOf(result);
process.stdout.write(`${markdown}\n`);
if (values.output !== undefined) writeFileSync(values.output, `${markdown}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
await deployment.close();
process.exitCode = result.isClean ? 0 : 1;
