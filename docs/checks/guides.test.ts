import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startS3 } from '@modelwire/blobs-s3/testing';
import { configSchema } from '@modelwire/server-app/testing';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, fileBlock } from './code-blocks.ts';
import { programFolder, runToEnd } from './programs.ts';
import { key, startApp, startStandIn } from './server.ts';

const guides = readdirSync(new URL('../guides', import.meta.url)).filter((name) => name.endsWith('.md'));
const pages = ['configuration.md', ...guides.map((name) => `guides/${name}`)];

const configurations = pages.flatMap((page) => {
  const yaml = codeBlocks(page).filter(({ language }) => language === 'yaml');
  return yaml.length > 0 ? [[page, yaml.map(({ code }) => code)] as const] : [];
});

test.each(configurations)('Every configuration in %s is one that the server takes', (_, codes) => {
  for (const code of codes) expect(configSchema.safeParse(parse(code)).error, code).toBeUndefined();
});

test('A server in front of two others serves their models by the configuration of the guide, and keeps what they said', async () => {
  const page = 'guides/in-front-of-a-model-server.md';
  const [small, large] = [await startStandIn(['llama3.2:3b']), await startStandIn(['meta-llama/Llama-3.3-70B'])];
  const folder = programFolder();
  const config = fileBlock(page, 'modelwire.config.yaml')
    .code.replace('http://127.0.0.1:11434/v1', small)
    .replaceAll(/http:\/\/127\.0\.0\.1:800[01]\/v1/g, large);
  expect(config).toContain(large);
  writeFileSync(join(folder, 'modelwire.config.yaml'), config);
  const url = await startApp(folder, { VLLM_API_KEY: 'not-looked-at' });
  const { code, prints } = fileBlock(page, 'ask.ts');
  writeFileSync(join(folder, 'ask.ts'), code.replace('http://127.0.0.1:8787', url));
  expect(await runToEnd(folder, 'ask.ts', { MODELWIRE_API_KEY: key })).toBe(prints);
});

test('The engine of the guide answers as the guide says', async () => {
  const { code, prints } = fileBlock('guides/write-an-engine.md', 'engine.ts');
  const folder = programFolder();
  writeFileSync(join(folder, 'engine.ts'), code);
  expect(await runToEnd(folder, 'engine.ts')).toBe(prints);
});

test('The reply of the guide is repaired while it streams', async () => {
  const { code, prints } = fileBlock('guides/structured-outputs.md', 'repair.ts');
  const folder = programFolder();
  writeFileSync(join(folder, 'repair.ts'), code);
  expect(await runToEnd(folder, 'repair.ts')).toBe(prints);
});

test('The responses of the guide are created and streamed as the guide says', async () => {
  const folder = programFolder();
  const url = await startApp(folder);
  const { code, prints } = fileBlock('guides/responses.md', 'ask.ts');
  writeFileSync(join(folder, 'ask.ts'), code.replace('http://127.0.0.1:8787', url));
  expect(await runToEnd(folder, 'ask.ts', { MODELWIRE_API_KEY: key })).toBe(prints);
});

test('The stream of the guide is continued as the guide says', async () => {
  const folder = programFolder();
  const url = await startApp(folder);
  const { code, prints } = fileBlock('guides/resumable-streams.md', 'resume.ts');
  writeFileSync(join(folder, 'resume.ts'), code.replace('http://127.0.0.1:8787', url));
  expect(await runToEnd(folder, 'resume.ts', { MODELWIRE_API_KEY: key })).toBe(prints);
});

test('The stored completions of the guide become a report', async () => {
  const folder = programFolder();
  const url = await startApp(folder);
  const { code, prints } = fileBlock('guides/datasets.md', 'walk.ts');
  writeFileSync(join(folder, 'walk.ts'), code.replace('http://127.0.0.1:8787', url));
  expect(await runToEnd(folder, 'walk.ts', { MODELWIRE_API_KEY: key })).toBe(prints);
});

test.each(['batch.ts', 'many.ts', 'collect.ts'])('The batches of %s in the guide are answered', async (file) => {
  const folder = programFolder();
  const url = await startApp(folder);
  const { code, prints } = fileBlock('guides/batches-at-scale.md', file);
  writeFileSync(join(folder, file), code.replace('http://127.0.0.1:8787', url));
  expect(await runToEnd(folder, file, { MODELWIRE_API_KEY: key })).toBe(prints);
});

test('The server kit on PostgreSQL and S3 keeps a file, by the program of the guide', async () => {
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  onTestFinished(async () => {
    await Promise.all([postgres.discard(), s3.stop()]);
  });
  const { endpoint, accessKeyId, secretAccessKey } = s3.options;
  const { code, prints } = fileBlock('guides/postgres-and-s3.md', 'service.ts');
  const folder = programFolder();
  writeFileSync(join(folder, 'service.ts'), code);
  const env = { DATABASE_URL: postgres.url, S3_ENDPOINT: endpoint, S3_KEY_ID: accessKeyId, S3_SECRET: secretAccessKey };
  expect(await runToEnd(folder, 'service.ts', env)).toBe(prints);
});

test('The tests of an app in the guide pass, and fail when the app does not do what they say', async () => {
  const page = 'guides/test-your-app.md';
  const folder = programFolder();
  const app = fileBlock(page, 'sort.ts').code;
  writeFileSync(join(folder, 'sort.ts'), app);
  writeFileSync(join(folder, 'sort.test.ts'), fileBlock(page, 'sort.test.ts').code);
  expect(await runToEnd(folder, 'sort.test.ts')).toContain('pass 4');
  writeFileSync(join(folder, 'sort.ts'), app.replace('.toLowerCase()', ''));
  await expect(runToEnd(folder, 'sort.test.ts')).rejects.toThrow('fail 2');
});
