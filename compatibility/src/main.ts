// Runs third-party test suites against the server program: `npm run test:compatibility [-- --examples <number>] [--openresponses <folder>]`.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runClaudeCode } from './claude-code.ts';
import { runCodex } from './codex.ts';
import { runJavaClient, runRustClient } from './foreign-clients.ts';
import { runGeneratedTests } from './generated-tests.ts';
import { runGoTests } from './go-tests.ts';
import { runLlamaTests } from './llama-tests.ts';
import { openapiProblems } from './openapi.ts';
import { runOpenResponses, runOpenResponsesBehind } from './openresponses.ts';
import { preparePython, pythonFolder } from './python.ts';
import { outputOf, run } from './run.ts';
import { freePort, startServer } from './server.ts';

const { values } = parseArgs({
  options: {
    /** Random cases of schemathesis for each operation, beside those that it always sends. */
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    /** A checkout of openresponses/openresponses in which `zod` is installed. Default: its suite is not run. */
    openresponses: { type: 'string' },
  },
});

const programs = await preparePython();
/** Where the Python suite of webhooks listens. */
const webhookHost = `127.0.0.1:${await freePort()}`;
const server = await startServer('gpt-4o=simulator', { webhookTrustedHosts: [webhookHost] });
const env = { MODELWIRE_URL: server.url, MODELWIRE_API_KEY: server.key, PYTHONDONTWRITEBYTECODE: '1' };

/** A server for random requests alone, which create and delete records of every kind. */
const randomServer = await startServer('gpt-4o=simulator');
const options = ['--max-examples', values.examples, '--seed', values.seed, '--no-color'];

/** Operations that are refused with a key of another role. */
const administration = '^/v1/organization/';

/** Runs schemathesis beside other suites: what it prints is shown when it has ended. */
async function runSchemathesis(filters: readonly string[], key: string): Promise<boolean> {
  const args = ['run', `${randomServer.url}/openapi.json`, ...filters, ...options];
  const { code, output } = await outputOf(join(programs, 'schemathesis'), args, {
    cwd: pythonFolder,
    env: { ...env, MODELWIRE_API_KEY: key },
    timeoutMs: 1_500_000,
  });
  console.log(output);
  return code === 0;
}

const { openresponses } = values;
const suites = {
  'OpenAPI linters': async () => {
    const problems = await openapiProblems(`${server.url}/openapi.json`);
    for (const problem of problems) console.error(problem);
    return problems.length === 0;
  },
  ...(openresponses !== undefined && {
    OpenResponses: () => runOpenResponses(openresponses, server),
    'OpenResponses with an upstream that serves /responses': () => runOpenResponsesBehind(server, openresponses),
  }),
  'Python suites': async () =>
    run(join(programs, 'python'), ['-m', 'pytest', '--ignore=llama'], {
      cwd: pythonFolder,
      env: { ...env, MODELWIRE_ADMIN_KEY: await server.createAdminKey(), MODELWIRE_WEBHOOK_HOST: webhookHost },
    }),
  'Codex CLI': runCodex,
  'Claude Code': runClaudeCode,
  'Generated tests of the Go SDK': runGoTests,
  'Java SDK': () => runJavaClient(server),
  'async-openai (Rust)': () => runRustClient(server),
  "llama.cpp's server and its model": () => runLlamaTests(programs),
  'Generated tests of the Python SDK': () => runGeneratedTests(programs),
};
const randomSuites = {
  schemathesis: () => runSchemathesis(['--exclude-path-regex', administration], randomServer.key),
  'schemathesis with the key of an administrator': async () =>
    runSchemathesis(['--include-path-regex', administration], await randomServer.createAdminKey()),
};

const failed: string[] = [];

async function runEach(each: Readonly<Record<string, () => Promise<boolean>>>): Promise<void> {
  for (const [name, suite] of Object.entries(each)) {
    console.log(`\n== ${name} (after ${Math.round(performance.now() / 1000)} s)`);
    if (!(await suite())) failed.push(name);
  }
}

try {
  await Promise.all([runEach(suites), runEach(randomSuites)]);
} finally {
  await Promise.all([server.stop(), randomServer.stop()]);
}
console.log(
  failed.length === 0
    ? `\nAll compatibility suites passed (after ${Math.round(performance.now() / 1000)} s).`
    : `\nFailed: ${failed.join(', ')}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
