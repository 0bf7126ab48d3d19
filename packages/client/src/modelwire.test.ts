import { json, record } from '@modelwire/core/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFiles } from '@modelwire/files';
import Default, { InputError, Modelwire } from './index.ts';

afterEach(() => vi.unstubAllEnvs());

describe('The address and the key', () => {
  test('come from the environment where they are not given', async () => {
    const { baseURL, recorded } = await record((response) => json(response, { object: 'list', data: [] }));
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

  test('are those that are given, whatever the environment says', async () => {
    const { baseURL, recorded } = await record((response) => json(response, { object: 'list', data: [] }));
    vi.stubEnv('MODELWIRE_API_KEY', '');
    vi.stubEnv('MODELWIRE_BASE_URL', 'http://127.0.0.1:1/v1');
    await new Modelwire({ baseURL }).models.list();
    expect(recorded).toMatchObject([{ path: '/models' }]);
    expect(recorded[0]?.headers.authorization).toBeUndefined();
  });

  test('that cannot be one are refused at once', () => {
    expect(() => new Modelwire({ baseURL: 'modelwire' })).toThrow(InputError);
  });
});

test('withOptions() keeps what it is not told, and leaves the client as it is', async () => {
  const { baseURL, recorded } = await record((response) => json(response, { object: 'list', data: [] }));
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

test('A resource is made once, and its transport serves clients of one resource too', async () => {
  const { baseURL, recorded } = await record((response) => json(response, { id: 'file-1' }));
  const client = new Modelwire({ baseURL, apiKey: 'key-1' });
  expect(client.chat).toBe(client.chat);
  await createFiles(client.transport).retrieve('file-1');
  expect(recorded).toMatchObject([{ path: '/files/file-1', headers: { authorization: 'Bearer key-1' } }]);
});

test('It is the default export too, for an import that changes its source alone', () => {
  expect(Default).toBe(Modelwire);
});
