import { json, startRecordingServer } from '@modelwire/core/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFiles } from '@modelwire/files';
import Default, { InputError, Modelwire } from './index.ts';

afterEach(() => vi.unstubAllEnvs());

describe('base URL and API key', () => {
  test('default to environment variables', async () => {
    const { baseURL, recorded } = await startRecordingServer((response) =>
      json(response, { object: 'list', data: [] }),
    );
    vi.stubEnv('MODELWIRE_API_KEY', ' env-key ');
    vi.stubEnv('MODELWIRE_BASE_URL', baseURL);
    await new Modelwire().models.list();
    await new Modelwire({ apiKey: undefined, baseURL: undefined }).models.list();
    await new Modelwire({ apiKey: 'own-key' }).models.list();
    expect(recorded.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer env-key',
      'Bearer env-key',
      'Bearer own-key',
    ]);
  });

  test('take precedence over environment variables', async () => {
    const { baseURL, recorded } = await startRecordingServer((response) =>
      json(response, { object: 'list', data: [] }),
    );
    vi.stubEnv('MODELWIRE_API_KEY', '');
    vi.stubEnv('MODELWIRE_BASE_URL', 'http://127.0.0.1:1/v1');
    await new Modelwire({ baseURL }).models.list();
    expect(recorded).toMatchObject([{ path: '/models' }]);
    expect(recorded[0]?.headers.authorization).toBeUndefined();
  });

  test('are rejected by the constructor when they are invalid', () => {
    expect(() => new Modelwire({ baseURL: 'modelwire' })).toThrow(InputError);
  });
});

test('withOptions() keeps the other options, and does not change the client', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, { object: 'list', data: [] }));
  const client = new Modelwire({ baseURL, apiKey: 'key-1', headers: { 'x-team': 'a' } });
  await client.withOptions({ apiKey: 'key-2' }).models.list();
  await client.withOptions({ headers: { 'x-team': 'b' } }).models.list();
  await client.models.list();
  expect(recorded.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
    ['Bearer key-2', 'a'],
    ['Bearer key-1', 'b'],
    ['Bearer key-1', 'a'],
  ]);
});

test('a resource is created once, and its transport can be shared with other clients', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, { id: 'file-1' }));
  const client = new Modelwire({ baseURL, apiKey: 'key-1' });
  expect(client.chat).toBe(client.chat);
  await createFiles(client.transport).retrieve('file-1');
  expect(recorded).toMatchObject([{ path: '/files/file-1', headers: { authorization: 'Bearer key-1' } }]);
});

test('is also the default export, for a migration that changes the import only', () => {
  expect(Default).toBe(Modelwire);
});
