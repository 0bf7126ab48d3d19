// Sends the same requests to llama.cpp's server directly, through Modelwire and through LiteLLM, and writes the tables of
// docs/compatibility.md: `npm run compare:gateways [-- --rounds <number>]`. Needs Linux and python3 with venv.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from './gateways/client.ts';
import { measureLatency } from './gateways/latency.ts';
import { page, writePage } from './gateways/page.ts';
import { startLiteLlm, startLlama, startModelwire } from './gateways/programs.ts';
import type { Program } from './gateways/programs.ts';
import { requestCases } from './gateways/requests.ts';
import { prepareLiteLlm, preparePython } from './python.ts';
import { run } from './run.ts';
import { freePort } from './server.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
const rounds = Number(values.rounds);
const folder = await mkdtemp(join(tmpdir(), 'modelwire-gateways-'));
const running: Program[] = [];

/** Also started again after a request that kills it. */
async function startAgain(programs: string, port: number): Promise<Program> {
  const llama = await startLlama(programs, port);
  running[0] = llama;
  return llama;
}

try {
  const [python, litellm] = [await preparePython(), await prepareLiteLlm()];
  const port = await freePort();
  let llama = await startAgain(python, port);
  running.push(await startModelwire(folder, llama), await startLiteLlm(litellm, folder, llama));
  const targets = [...running];
  const failures = targets.map((): (string | undefined)[] => []);
  const latencies = await measureLatency(targets, rounds);
  for (const { title, run: runCase } of requestCases) {
    for (const [index, target] of targets.entries()) {
      const state = { isKilled: false };
      const kill = (): void => {
        state.isKilled = true;
        void llama.stop();
      };
      const failure = await runCase(createClient(target), { kill }).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : 'unknown error'),
      );
      failures[index]?.push(failure);
      console.log(
        `${failure === undefined ? 'yes' : ' no'}  ${target.name}: ${title}${failure === undefined ? '' : `: ${failure}`}`,
      );
      if (state.isKilled) llama = await startAgain(python, port);
    }
  }
  const results = await Promise.all(
    targets.map(async ({ name, memory }, index) => ({
      ...{ name, failures: failures[index] ?? [], latency: latencies[index] ?? { medianMs: 0, addedMs: 0 } },
      memory: await (index === 0 ? llama.memory() : memory()),
    })),
  );
  await writePage(
    requestCases.map(({ title }) => title),
    results,
    rounds,
  );
  await run('npx', ['prettier', '--write', page]);
} finally {
  await Promise.all(running.map((program) => program.stop()));
  await rm(folder, { recursive: true, force: true });
}
