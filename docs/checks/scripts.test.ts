import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { programFolder, runToEnd } from './programs.ts';
import { key, startApp } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts = join(root, 'scripts');

test.each(readdirSync(scripts).filter((name) => name.endsWith('.test.mjs')))(
  'The tests of scripts/%s pass',
  async (file) => {
    expect(await runToEnd(scripts, file)).toMatch(/fail 0\n/);
  },
);

const { inputs, runs } = z
  .object({
    inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
    runs: z.object({ steps: z.array(z.object({ env: z.record(z.string(), z.string()), run: z.string() }).partial()) }),
  })
  .parse(parse(readFileSync(join(root, 'action.yml'), 'utf8')));
const { env = {}, run = '' } = runs.steps.find((step) => step.run !== undefined) ?? {};

/** Runs the script of the action with the command line of this repository, as `npx` would run the published one. */
async function runAction(cwd: string, given: Readonly<Record<string, string>>): Promise<string> {
  const main = join(root, 'apps/cli/src/main.ts');
  const npx = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift 2\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(cwd, 'npx'), npx, { mode: 0o755 });
  const values = Object.entries(env).map(([name, expression]) => {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(expression)?.[1] ?? '';
    return [name, given[input] ?? inputs[input]?.default ?? ''];
  });
  const PATH = `${cwd}${delimiter}${process.env['PATH'] ?? ''}`;
  const variables = { ...(Object.fromEntries(values) as NodeJS.ProcessEnv), HOME: cwd, PATH };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', run], { cwd, env: variables });
  return stdout;
}

test('The action passes each of its inputs to its script', () => {
  expect(Object.values(env).toSorted()).toEqual(
    Object.keys(inputs)
      .map((name) => `\${{ inputs.${name} }}`)
      .toSorted(),
  );
  // MODELWIRE_API_KEY is read by the command line itself.
  const used = Array.from(run.matchAll(/\$([A-Z_]+)/g), ([, name]) => name);
  expect([...used, 'MODELWIRE_API_KEY'].toSorted()).toEqual(Object.keys(env).toSorted());
});

test('The action scores a server with its required inputs, and with all of them', async () => {
  const folder = programFolder();
  const required = { 'base-url': `${await startApp(folder)}/v1`, 'api-key': key, only: 'models' };
  expect(await runAction(folder, required)).toContain('Score: 100 % of the API');
  expect(readFileSync(join(folder, 'conformance.xml'), 'utf8')).toContain('<testsuite');
  const all = {
    ...required,
    except: 'models.list',
    'expected-failures': 'expected.txt',
    min: '90',
    model: 'simulator',
    'moderation-model': 'omni-moderation-latest',
    'video-model': 'storyboard',
    parallel: '2',
    spec: '2026-08',
    shard: '1/1',
    quick: 'true',
    destructive: 'true',
    report: 'md',
    output: 'report.md',
    version: '0.1.0',
  };
  writeFileSync(join(folder, 'expected.txt'), '# None.\n');
  expect(Object.keys(all).toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(await runAction(folder, all)).toContain('models.retrieve');
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('`GET /models/{model}`');
});
