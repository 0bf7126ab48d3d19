import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { apiDocument } from '../testing/api-document.ts';
import { startTestServer } from '../testing/test-server.ts';

const has = (program: string): boolean => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;

async function samplesIn(lang: string): Promise<readonly string[]> {
  const server = await startTestServer({});
  onTestFinished(() => server.stop());
  const { operations } = await apiDocument(server.url);
  return Array.from(
    operations.values(),
    (operation) => operation['x-codeSamples'].find((sample) => sample.lang === lang)?.source ?? '',
  );
}

test.skipIf(!has('python3'))('the code samples in Python parse (needs python3)', async () => {
  const samples = await samplesIn('Python');
  const program = 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)';
  const { status, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.skipIf(!has('gofmt'))('the code samples in Go are formatted as gofmt does (needs gofmt)', async () => {
  for (const source of await samplesIn('Go')) {
    const { stdout, stderr } = spawnSync('gofmt', [], { input: `${source}\n`, encoding: 'utf8' });
    expect(stderr, source).toBe('');
    expect(stdout).toBe(`${source}\n`);
  }
});
