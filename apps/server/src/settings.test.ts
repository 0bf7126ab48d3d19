import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from './config/config-error.ts';
import { readSettings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelwire-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test('with nothing said, it is port 8787 of this machine and a folder beside it', async () => {
  expect(await readSettings(folder, {})).toEqual({
    host: '127.0.0.1',
    port: 8787,
    data: join(folder, '.modelwire'),
    drainMs: 30_000,
    logLevel: 'info',
    configPath: undefined,
    upstreams: undefined,
  });
});

test('flags win over the environment, the environment over the file', async () => {
  writeFileSync(join(folder, 'modelwire.config.yaml'), 'port: 1\nhost: a\nqueueLength: 3\n');
  const settings = await readSettings(folder, { PORT: '2', HOST: 'b' }, { port: '3' });
  expect(settings).toMatchObject({ port: 3, host: 'b', queueLength: 3 });
});

test.each([
  ['modelwire.config.ts', 'const port: number = 7; export default { port };'],
  ['modelwire.config.mjs', 'export default { port: 7 };'],
  ['modelwire.config.json', '{"port": 7}'],
  ['modelwire.config.yml', 'port: 7'],
])('reads %s', async (name, content) => {
  writeFileSync(join(folder, name), content);
  expect(await readSettings(folder, {})).toMatchObject({ port: 7, configPath: join(folder, name) });
});

test('an upstream of the environment joins without a file', async () => {
  const env = { MODELWIRE_UPSTREAM_URL: 'http://127.0.0.1:11434/v1', MODELWIRE_UPSTREAM_API_KEY: 'k' };
  expect((await readSettings(folder, env)).upstreams).toEqual([{ baseURL: 'http://127.0.0.1:11434/v1', apiKey: 'k' }]);
});

test("an upstream's key comes from the variable that is named", async () => {
  writeFileSync(
    join(folder, 'modelwire.config.json'),
    JSON.stringify({ upstreams: [{ baseURL: 'http://a/v1', apiKeyEnv: 'THEIRS' }] }),
  );
  expect((await readSettings(folder, { THEIRS: 'secret' })).upstreams).toEqual([
    { baseURL: 'http://a/v1', apiKey: 'secret' },
  ]);
  await expect(readSettings(folder, {})).rejects.toThrow('THEIRS');
});

test.each([
  [{ PORT: '80a' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ MODELWIRE_LOG_LEVEL: 'loud' }, 'MODELWIRE_LOG_LEVEL'],
  [{ MODELWIRE_API_KEYS: 'not ascii: ü' }, 'MODELWIRE_API_KEYS'],
  [{ MODELWIRE_UPSTREAM_URL: 'localhost:11434' }, 'MODELWIRE_UPSTREAM_URL'],
  [{ MODELWIRE_CONFIG: 'nowhere.json' }, 'nowhere.json'],
])('%j is refused by name', async (env, named) => {
  const refused = readSettings(folder, env);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(named);
});

test('aliases of models join those of the file', async () => {
  writeFileSync(
    join(folder, 'modelwire.config.yaml'),
    'models:\n  gpt-4o: { model: llama }\n  other: { model: llama }\n',
  );
  const env = { MODELWIRE_MODEL_ALIASES: 'gpt-4o=simulator, *=simulator', MODELWIRE_DEFAULT_MODEL: 'simulator' };
  expect(await readSettings(folder, env)).toMatchObject({
    models: { 'gpt-4o': { model: 'simulator' }, '*': { model: 'simulator' }, other: { model: 'llama' } },
    defaultModel: 'simulator',
  });
});

test.each(['gpt-4o', 'gpt-4o=', '=simulator'])('MODELWIRE_MODEL_ALIASES %j is refused', async (text) => {
  await expect(readSettings(folder, { MODELWIRE_MODEL_ALIASES: text })).rejects.toThrow(
    `MODELWIRE_MODEL_ALIASES: expected pairs such as gpt-4o=simulator,*=simulator, not '${text}'`,
  );
});

test('the catch-all must be an alias', async () => {
  writeFileSync(join(folder, 'modelwire.config.yaml'), "models:\n  '*': { upstreamModel: llama }\n");
  await expect(readSettings(folder, {})).rejects.toThrow('the catch-all is an alias');
});
