import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readSettings, start } from '@modelwire/server-app';
import { testSettings } from '@modelwire/server-app/testing';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';
import { fakeTerminal, folder, runCommand } from './testing/fake-terminal.ts';

const file = 'modelwire.config.yaml';

/** A server that answers like Ollama. */
async function startOllama(): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/v1/models': { object: 'list', data: [{ id: 'llama3.2:3b', object: 'model', owned_by: 'library' }] },
    '/api/version': { version: '0.12.0' },
  };
  const http = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  return `http://${await listenForTest(http)}/v1`;
}

/** A folder with GGUF files. */
function folderWithModels(): string {
  const cwd = folder();
  mkdirSync(join(cwd, 'models'));
  mkdirSync(join(cwd, 'folder.gguf'));
  symlinkSync('missing', join(cwd, 'dangling.gguf'));
  const names = ['small.gguf', 'models/big-00001-of-00002.gguf', 'models/big-00002-of-00002.gguf', 'mmproj-small.gguf'];
  for (const name of names) writeFileSync(join(cwd, name), 'GGUF');
  return cwd;
}

/** The models of the real server in this folder, with the file that was written there. */
async function modelsOfServer(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const settings = await readSettings(cwd, env);
  expect(settings.configPath).toBe(join(cwd, file));
  const running = await start({ ...settings, ...testSettings, data: join(cwd, 'data') });
  onTestFinished(() => running.stop());
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  return running.models().map(({ id }) => id);
}

test('init writes what it finds, and names keys by their variables', async () => {
  const [cwd, baseURL] = [folderWithModels(), await startOllama()];
  const env = { MODELWIRE_LOCAL_SERVERS: baseURL, OPENAI_API_KEY: 'sk-very-secret', GROQ_API_KEY: '' };
  const { code, out, err } = await runCommand(['init', '--yes'], { cwd, env });
  expect([code, err]).toEqual([
    EXIT.ok,
    expect.stringContaining(`Wrote ${file}. To start the server: modelwire serve`),
  ]);
  expect(err).toContain('npm install node-llama-cpp');
  const text = readFileSync(join(cwd, file), 'utf8');
  expect(out).toContain(text);
  expect(text).not.toContain('sk-very-secret');
  expect(text).toContain(`# Ollama at ${baseURL}, 1 chat model: llama3.2:3b\n`);
  expect(await readSettings(cwd, env)).toMatchObject({
    upstreams: [
      { name: 'ollama', baseURL },
      { name: 'openai', baseURL: 'https://api.openai.com/v1', apiKey: 'sk-very-secret' },
    ],
    gguf: [{ path: 'small.gguf' }, { path: 'models/big-00001-of-00002.gguf' }],
  });
});

test('init asks on a terminal, and the real server serves what was chosen', async () => {
  const [cwd, baseURL] = [folderWithModels(), await startOllama()];
  const tty = { stdin: true, stdout: true, stderr: true };
  const env = { MODELWIRE_LOCAL_SERVERS: baseURL };
  const terminal = fakeTerminal({ cwd, env, tty, typing: true });
  terminal.type('4\n');
  const running = run(['init'], terminal);
  await expect.poll(() => terminal.err()).toContain('Expected numbers from 1 to 3.');
  terminal.type('1\n');
  expect(await running).toBe(EXIT.ok);
  expect(terminal.err()).toContain(`  1  Ollama at ${baseURL}, 1 chat model: llama3.2:3b\n  2  small.gguf, 4 B\n`);
  expect(await modelsOfServer(cwd)).toEqual(['llama3.2:3b']);
});

test('init writes a file for the simulator when it finds nothing', async () => {
  const cwd = folder();
  const { code, err } = await runCommand(['init'], { cwd, env: { MODELWIRE_LOCAL_SERVERS: 'false' } });
  expect([code, err]).toEqual([EXIT.ok, expect.stringContaining('Found nothing')]);
  expect(await modelsOfServer(cwd)).toContain('simulator');
});

test('init takes servers and files from its options, and says what is missing', async () => {
  const cwd = folder();
  const words = ['init', '--json', '--upstream', 'https://api.example.com/v1', '--api-key-env', 'EXAMPLE_KEY'];
  const { code, out, err } = await runCommand([...words, '--gguf', 'a "model".gguf'], { cwd });
  expect([code, err]).toEqual([EXIT.ok, expect.stringContaining('EXAMPLE_KEY is not set. The server needs it.')]);
  expect(JSON.parse(out)).toMatchObject({ path: join(cwd, file), sources: [{ kind: 'upstream' }, { kind: 'gguf' }] });
  expect(await readSettings(cwd, { EXAMPLE_KEY: 'x' })).toMatchObject({
    upstreams: [{ name: 'api.example.com', baseURL: 'https://api.example.com/v1', apiKey: 'x' }],
    gguf: [{ path: 'a "model".gguf' }],
  });
});

test('init gives servers of one host names of their own, and keeps a file name within its comment', async () => {
  const cwd = folder();
  const words = ['init', '--upstream', 'https://api.example.com/a/v1', '--upstream', 'https://api.example.com/b/v1'];
  expect((await runCommand([...words, '--gguf', 'a\nport: 1.gguf'], { cwd })).code).toBe(EXIT.ok);
  expect(await readSettings(cwd, {})).toMatchObject({
    port: 8787,
    upstreams: [{ name: 'api.example.com' }, { name: 'api.example.com-2' }],
    gguf: [{ path: 'a\nport: 1.gguf' }],
  });
});

test('init overwrites no file without --force, and writes none that the server would not read', async () => {
  const cwd = folder();
  const options = { cwd, env: { MODELWIRE_LOCAL_SERVERS: 'false' } };
  writeFileSync(join(cwd, file), 'port: 9000\n');
  const { code, err } = await runCommand(['init'], options);
  expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('Overwrite it with --force.')]);
  expect(readFileSync(join(cwd, file), 'utf8')).toBe('port: 9000\n');
  expect((await runCommand(['init', '--force'], options)).code).toBe(EXIT.ok);
  expect(readFileSync(join(cwd, file), 'utf8')).toContain('simulator: true');
  writeFileSync(join(cwd, 'modelwire.config.ts'), 'export default {};');
  expect((await runCommand(['init', '--force'], options)).err).toContain('modelwire.config.ts already exists');
  const other = ['init', '-o', 'other.yaml'];
  expect((await runCommand(other, options)).err).toContain('serve --config other.yaml');
  expect((await runCommand(other, options)).err).toContain('Overwrite it with --force.');
});

test.each([
  [['--upstream', 'example'], 'Invalid base URL "example".'],
  [['--api-key-env', 'KEY'], '--api-key-env needs one --upstream.'],
])('init rejects %j', async (flags, message) => {
  const { code, err } = await runCommand(['init', ...flags]);
  expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
});

test('init names a misspelled variable', async () => {
  const { code, err } = await runCommand(['init'], { env: { MODELWIRE_LOCAL_SERVER: 'false' } });
  expect([code, err]).toEqual([EXIT.config, expect.stringContaining('Did you mean MODELWIRE_LOCAL_SERVERS?')]);
});
