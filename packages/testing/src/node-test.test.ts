import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = `
import { test } from 'node:test';
import assert from 'node:assert';
import { useTestServer } from ${JSON.stringify(new URL('node-test.ts', import.meta.url).href)};

const server = useTestServer({ replies: [{ when: { message: 'Hello' }, reply: 'Good day.' }], port: false });
const say = async (content) => {
  const headers = { authorization: 'Bearer ' + server.apiKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  return (await server.fetch(server.baseURL + '/chat/completions', { method: 'POST', headers, body })).json();
};
test('is answered', async () => {
  assert.equal((await say('Hello')).choices[0].message.content, 'Good day.');
  assert.equal(server.requests.length, 1);
});
test('has nothing of the one before', () => assert.equal(server.requests.length, 0));
test('asks what there is no reply to', async () => {
  await say('What else?');
});
`;

test('node:test: one server for a file, reset for each test; a request without a matching rule fails its test', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: import.meta.dirname,
    // A runner that starts another tells it so: this one is to speak for itself.
    env: { ...process.env, NODE_TEST_CONTEXT: '' },
  });
  const stdout = await run.then(
    (ended) => ended.stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : ''),
  );
  expect(stdout).toMatch(/tests 3\b[^]*pass 2\b[^]*fail 1\b/);
  expect(stdout).toContain('No scripted reply matches this request.');
});
