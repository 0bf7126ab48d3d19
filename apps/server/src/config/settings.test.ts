import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readEnvironment } from './environment.ts';
import { readSettings } from './settings.ts';
import { start } from '../start/start.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelwire-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test('defaults to port 8787 on localhost and the data folder .modelwire', async () => {
  expect(await readSettings(folder, {})).toEqual({
    host: '127.0.0.1',
    port: 8787,
    data: join(folder, '.modelwire'),
    drainMs: 30_000,
    logLevel: 'info',
    configPath: undefined,
    upstreams: undefined,
    providers: undefined,
    huggingFace: { endpoint: undefined, token: undefined },
  });
});

test('flags override the environment, which overrides the file', async () => {
  writeFileSync(join(folder, 'modelwire.config.yaml'), 'port: 1\nhost: a\nmaxQueuedRequests: 3\n');
  const settings = await readSettings(folder, { PORT: '2', HOST: 'b' }, { port: '3' });
  expect(settings).toMatchObject({ port: 3, host: 'b', maxQueuedRequests: 3 });
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

test('reads an upstream from the environment', async () => {
  const env = { MODELWIRE_UPSTREAM_URL: 'http://127.0.0.1:11434/v1', MODELWIRE_UPSTREAM_API_KEY: 'k' };
  expect((await readSettings(folder, env)).upstreams).toEqual([{ baseURL: 'http://127.0.0.1:11434/v1', apiKey: 'k' }]);
});

const oidc = {
  issuer: 'https://login.example.com',
  clientId: 'modelwire',
  publicUrl: 'https://models.example.com',
  access: [{ group: 'staff', role: 'full' }],
};

test('reads the client secret of the identity provider from the variable named by clientSecretEnv', async () => {
  const file = join(folder, 'modelwire.config.json');
  writeFileSync(file, JSON.stringify({ oidc: { ...oidc, clientSecretEnv: 'THEIRS' } }));
  expect((await readSettings(folder, { THEIRS: 'secret' })).oidc).toEqual({ ...oidc, clientSecret: 'secret' });
  await expect(readSettings(folder, {})).rejects.toThrow('oidc: the environment variable THEIRS');
});

test.each([
  [{ issuer: 'http://login.example.com' }, 'oidc.issuer: expected an https URL'],
  [{ issuer: 'http://localhost.example.com' }, 'oidc.issuer: expected an https URL'],
  [{ issuer: 'https://me:secret@login.example.com' }, 'oidc.issuer: expected a URL without user name'],
  [{ publicUrl: 'https://me@models.example.com' }, 'oidc.publicUrl: expected a URL without user name'],
  [{ publicUrl: 'https://models.example.com/x?y=1' }, 'oidc.publicUrl: expected a URL without user name'],
  [{ publicUrl: 'https://models.example.com/#' }, 'oidc.publicUrl: expected a URL without user name'],
  [{ issuer: 'login' }, "'oidc.issuer': expected an http or https URL, but got 'login'"],
  [{ access: [] }, 'oidc.access'],
  [{ access: [{ group: 'staff', role: 'owner' }] }, 'oidc.access[0].role'],
  [
    { scopes: ['openid profile'] },
    "Invalid value for 'oidc.scopes[0]': expected a scope without spaces, but got 'openid profile'",
  ],
  [{ clientSecret: 'a', clientSecretEnv: 'B' }, 'oidc.clientSecretEnv: set either'],
])('refuses an identity provider with %j', async (field, message) => {
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify({ oidc: { ...oidc, ...field } }));
  await expect(readSettings(folder, {})).rejects.toThrow(message);
});

test('reads the key of an upstream from the variable named by apiKeyEnv', async () => {
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
])('rejects %j and names the variable', async (env, expected) => {
  const settings = readSettings(folder, env);
  await expect(settings).rejects.toThrow(ConfigError);
  await expect(settings).rejects.toThrow(expected);
});

test.each([
  ['a value of the wrong type', { port: 'eighty' }, 'port'],
  ['an invalid nested URL', { upstreams: [{ baseURL: 'ftp://x' }] }, 'upstreams[0].baseURL'],
  ['models without an upstream', { models: { a: {} } }, 'upstreams'],
  [
    'an unknown upstream',
    { upstreams: [{ baseURL: 'http://127.0.0.1:1/v1' }], models: { a: { upstreams: ['b'] } } },
    "models['a'].upstreams",
  ],
])('a server rejects a file with %s, and names the field', async (_, config, named) => {
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  const started = readSettings(folder, { MODELWIRE_LOG_LEVEL: 'silent' }).then((settings) => start(settings));
  await expect(started).rejects.toThrow(ConfigError);
  await expect(started).rejects.toThrow(named);
});

test.each([
  [
    'json',
    '{\n  "port": 0,\n  "upstreams": [{ "baseURL": "http://127.0.0.1:1/v1",\n    "presett": "vllm" }]\n}',
    "line 4: Unknown parameter: 'upstreams[0].presett'. Did you mean 'upstreams[0].preset'?",
  ],
  ['yaml', 'port: 0\nsimulater: false\n', "line 2: Unknown parameter: 'simulater'. Did you mean 'simulator'?"],
  ['yml', 'port: eighty\n', "line 1: Invalid type for 'port': expected a number, but got a string instead."],
  ['json', '{\n "port": 0\n "host": "a" }', 'line 3 column 2'],
  ['yaml', 'port: 0\nhost: [\n', 'at line 3'],
])('a mistake in a %s file is reported with its line and what was meant: %j', async (extension, text, expected) => {
  writeFileSync(join(folder, `modelwire.config.${extension}`), text);
  await expect(readSettings(folder, {})).rejects.toThrow(expected);
});

test('merges model aliases of the environment with those of the file', async () => {
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

test.each([
  ['MODELWIRE_PROT', '80', 'PORT'],
  ['MODELWIRE_PORT', '80', 'PORT'],
  ['MODELWIRE_UPSTREAM_URI', 'http://127.0.0.1:1/v1', 'MODELWIRE_UPSTREAM_URL'],
  ['MODELWIRE_DATABSE_URL', 'postgres://a/b', 'MODELWIRE_DATABASE_URL'],
])('rejects the misspelled variable %s, and names the one that was meant', async (name, value, meant) => {
  const settings = readSettings(folder, { [name]: value });
  await expect(settings).rejects.toThrow(ConfigError);
  await expect(settings).rejects.toThrow(`Unknown environment variable ${name}. Did you mean ${meant}?`);
});

test('accepts variables of clients, of Kubernetes, and those that the operator chose', async () => {
  const env = {
    MODELWIRE_API_KEY: 'a key of a client',
    MODELWIRE_BASE_URL: 'http://127.0.0.1:8787/v1',
    MODELWIRE_PORT: 'tcp://10.0.0.1:8787',
    MODELWIRE_PORT_8787_TCP: 'tcp://10.0.0.1:8787',
    MODELWIRE_SERVICE_HOST: '10.0.0.1',
    MODELWIRE_SERVICE_PORT: '8787',
    MODELWIRE_OLLAMA_SECRET: 'for apiKeyEnv',
  };
  expect(await readSettings(folder, env)).toMatchObject({ host: '127.0.0.1', port: 8787 });
});

test('reads switches from the environment', async () => {
  const env = {
    MODELWIRE_SIMULATOR: 'false',
    MODELWIRE_PASS_THROUGH: '/rerank, /audio/*',
    MODELWIRE_LOCAL_SERVERS: 'http://127.0.0.1:9000/v1',
  };
  expect(await readSettings(folder, env)).toMatchObject({
    simulator: false,
    passThrough: ['/rerank', '/audio/*'],
    localServers: ['http://127.0.0.1:9000/v1'],
  });
  for (const [name, value] of Object.entries({
    MODELWIRE_SIMULATOR: 'yes',
    MODELWIRE_PASS_THROUGH: '/v1/rerank',
    MODELWIRE_LOCAL_SERVERS: 'yes',
  })) {
    await expect(readSettings(folder, { [name]: value })).rejects.toThrow(`${name}: expected`);
  }
});

test.each(['gpt-4o', 'gpt-4o=', '=simulator'])('rejects MODELWIRE_MODEL_ALIASES %j', async (text) => {
  await expect(readSettings(folder, { MODELWIRE_MODEL_ALIASES: text })).rejects.toThrow(
    `MODELWIRE_MODEL_ALIASES: expected pairs such as gpt-4o=simulator,*=simulator, not '${text}'`,
  );
});

test('rejects a catch-all that is not an alias', async () => {
  writeFileSync(join(folder, 'modelwire.config.yaml'), "models:\n  '*': { upstreamModel: llama }\n");
  await expect(readSettings(folder, {})).rejects.toThrow("'*' must be an alias");
});

test('MODELWIRE_UPSTREAM_PRESET names the kind of the upstream', () => {
  const env = { MODELWIRE_UPSTREAM_URL: 'http://127.0.0.1:8080/v1' };
  expect(readEnvironment({ ...env, MODELWIRE_UPSTREAM_PRESET: 'llama.cpp' }).upstreams).toEqual([
    { baseURL: 'http://127.0.0.1:8080/v1', preset: 'llama.cpp' },
  ]);
  expect(() => readEnvironment({ ...env, MODELWIRE_UPSTREAM_PRESET: 'llama' })).toThrow(
    "MODELWIRE_UPSTREAM_PRESET: expected one of vllm, sglang, tgi, ollama, llama.cpp, lmstudio, hosted, not 'llama'",
  );
});
