import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { fileBlock } from './code-blocks.ts';
import { programFolder, runToEnd } from './programs.ts';
import { key, startApp } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['scripts', 'site'].flatMap((folder) => globSync(`${folder}/*.test.mjs`, { cwd: root })))(
  'The tests of %s pass',
  async (file) => {
    expect(await runToEnd(root, file)).toMatch(/fail 0\n/);
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

const workflowSchema = z.object({
  env: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      strategy: z.object({ matrix: z.object({ part: z.array(z.number()) }) }).optional(),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: z.record(z.string(), z.coerce.string()).default({}),
        }),
      ),
    }),
  ),
});

test('Workflows run scripts that exist, actions of certain commits, and only the publishing job can identify itself to npm', () => {
  const schema = z.object({
    jobs: z.record(
      z.string(),
      z.object({
        environment: z.string().optional(),
        permissions: z.record(z.string(), z.string()),
        /** Another workflow of this folder, in place of steps. */
        uses: z.string().startsWith('./.github/workflows/').optional(),
        steps: z
          .array(
            z
              .object({ uses: z.string(), run: z.string(), with: z.object({ script: z.string().optional() }) })
              .partial(),
          )
          .default([]),
      }),
    ),
  });
  const workflows = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
  expect(workflows).toEqual(['.github/workflows/release.yml', '.github/workflows/site.yml']);
  const jobs = workflows.flatMap((path) =>
    Object.entries(schema.parse(parse(readFileSync(join(root, path), 'utf8'))).jobs),
  );
  for (const [, { uses }] of jobs) if (uses !== undefined) expect(workflows).toContain(uses.replace('./', ''));
  const steps = jobs.flatMap(([, job]) => job.steps);
  const manifest = z.object({ scripts: z.record(z.string(), z.string()) });
  const known = Object.keys(manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts);
  const commands = steps.flatMap((step) => step.run ?? step.with?.script ?? []);
  const scripts = /^(npm|node scripts\/go\.mjs) run (\S+)( -- .*)?$/;
  expect(commands).toHaveLength(12);
  for (const command of commands) {
    const file = /^node (\S+\.mjs)/.exec(command)?.[1];
    const name = scripts.exec(command)?.[2];
    if (name !== undefined) expect(known).toContain(name);
    else if (file === undefined) expect(command).toMatch(/^gh /);
    else expect(existsSync(join(root, file))).toBe(true);
  }
  for (const { uses } of steps) expect(uses ?? '@'.padEnd(41, '0')).toMatch(/@[0-9a-f]{40}$/);
  const trusted = jobs.filter(([, { permissions }]) => permissions['id-token'] !== undefined);
  expect(trusted.map(([name, { environment }]) => [name, environment])).toEqual([['publish', 'npm']]);
});

test('The workflow of the guide runs its parts and makes one report', async () => {
  const { code } = fileBlock('conformance-in-ci.md', '.github/workflows/conformance.yml');
  const { jobs } = workflowSchema.parse(parse(code));
  const artifacts = programFolder();
  const server = `${await startApp(programFolder())}/v1`;
  const used = new Set<string>();
  for (const { strategy, steps } of Object.values(jobs)) {
    for (const part of strategy?.matrix.part ?? [0]) {
      // Each job has a machine of its own.
      const folder = programFolder();
      const values = { 'env.BASE_URL': server, 'secrets.API_KEY': key, 'matrix.part': String(part) };
      for (const step of steps) {
        const given = Object.fromEntries(Object.entries(step.with).map(([name, text]) => [name, fillIn(text, values)]));
        used.add(step.uses ?? step.run ?? '');
        const path = given['path'] ?? given['sarif_file'] ?? '';
        if (step.uses === 'modelwire/modelwire@main') await runAction(folder, given);
        if (path !== '') cpSync(join(folder, path), join(artifacts, path));
        if (step.uses?.startsWith('actions/download-artifact')) cpSync(artifacts, folder, { recursive: true });
      }
    }
  }
  const uploads = ['actions/upload-artifact@v4', 'github/codeql-action/upload-sarif@v3'];
  const others = ['./start-my-server.sh', 'actions/checkout@v4', 'actions/download-artifact@v4', ...uploads];
  expect([...used].toSorted()).toEqual([...others, 'modelwire/modelwire@main'].toSorted());
  const parts = ['part-1.json', 'part-2.json'].map((name) => resultCount(join(artifacts, name)));
  expect(parts.every((count) => count > 10)).toBe(true);
  expect(readFileSync(join(artifacts, 'conformance.sarif'), 'utf8')).toContain('"version": "2.1.0"');
});

/** Replaces the expressions of a workflow by their values. */
const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => values[name] ?? '');

const resultCount = (file: string): number =>
  z.object({ results: z.array(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8'))).results.length;

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
    resume: 'one.json,two.json',
    quick: 'true',
    destructive: 'true',
    report: 'md',
    output: 'report.md',
    version: '0.1.0',
  };
  for (const output of ['one.json', 'two.json'])
    await runAction(folder, { ...required, report: 'json', output, shard: output === 'one.json' ? '1/2' : '2/2' });
  writeFileSync(join(folder, 'expected.txt'), '# None.\n');
  expect(Object.keys(all).toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(await runAction(folder, all)).toContain('models.retrieve');
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('`GET /models/{model}`');
});
