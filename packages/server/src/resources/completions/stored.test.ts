import { describe, expect, test } from 'vitest';
import { noAccessLimits } from '@modelwire/ports';
import { openMemoryStores } from '@modelwire/store-sqlite';
import type { RequestLogEntry } from '../../request-log.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';

/** A server whose list of completions fails with this outage. */
async function listing(query: string, outage: { readonly cause: string; readonly isSlowQuery?: true }) {
  const { stores, blobs } = memoryWork();
  const list = () =>
    Promise.reject(Object.assign(new Error('failed'), { outage: { dependency: 'sqlite', ...outage } }));
  const project = (id: string) => {
    const of = stores.project(id);
    return { ...of, completions: { ...of.completions, list } };
  };
  const log: RequestLogEntry[] = [];
  const { url } = await listen({
    engines: [],
    stores: { ...stores, project },
    blobs,
    worker: false,
    log: (entry) => void log.push(entry),
  });
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/chat/completions?${query}`, { headers });
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  return { response, error, log };
}

test('a list of stored completions is filtered by key and by finish reason', async () => {
  const { stores, blobs } = memoryWork();
  const append = (id: string, api_key_id: string, finish_reason: 'stop' | 'length'): Promise<void> => {
    const message = { role: 'assistant', content: 'Hello', refusal: null } as const;
    const choices = [{ index: 0, message, finish_reason, logprobs: null }];
    const completion = { id, object: 'chat.completion', created: 1, model: 'small', choices, metadata: {} } as const;
    return stores.project('p').completions.append({ completion: { ...completion, api_key_id }, messages: [] });
  };
  await append('chatcmpl-1', 'key_1', 'stop');
  await append('chatcmpl-2', 'key_1', 'length');
  await append('chatcmpl-3', 'key_2', 'length');
  const { url } = await listen({ engines: [], stores, blobs, worker: false });
  const list = async (query: string): Promise<readonly string[]> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/chat/completions?${query}`, { headers });
    const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] };
    return data.map(({ id }) => id);
  };
  expect(await list('api_key_id=key_1')).toEqual(['chatcmpl-1', 'chatcmpl-2']);
  expect(await list('finish_reason=length')).toEqual(['chatcmpl-2', 'chatcmpl-3']);
  expect(await list('finish_reason=length&api_key_id=key_1&view=summary')).toEqual(['chatcmpl-2']);
});

test('a list of stored completions is searched, and an invalid search is refused with its name', async () => {
  const { stores, blobs } = memoryWork();
  const message = { role: 'assistant', content: 'Open until nine', refusal: null } as const;
  const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }] as const;
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'small',
    choices,
    metadata: {},
  } as const;
  const messages = [{ id: 'chatcmpl-1-0', role: 'user', content: 'When does the museum close?' }];
  await stores.project('p').completions.append({ completion, messages });
  const headers = { authorization: `Bearer ${key}` };
  const { url } = await listen({ engines: [], stores, blobs, worker: false });
  const list = async (search: string, base = url) =>
    (await fetch(`${base}/v1/chat/completions?search=${encodeURIComponent(search)}`, { headers })).json();
  for (const search of ['museum nine', '"does the" clos*'])
    expect(await list(search)).toMatchObject({ data: [{ id: 'chatcmpl-1' }] });
  for (const search of ['museum ten', '"the does"', 'clos']) expect(await list(search)).toMatchObject({ data: [] });
  const tooMany = Array.from({ length: 65 }, (_, index) => `a${index}`).join(' ');
  for (const search of ['', '"*"', '\0', tooMany, 'a'.repeat(10_000)])
    expect(await list(search)).toMatchObject({ error: { param: 'search', type: 'invalid_request_error' } });
  const without = await listen({ engines: [], stores: { ...stores, canSearch: false }, blobs, worker: false });
  expect(await list('museum', without.url)).toMatchObject({ error: { param: 'search', code: 'unsupported_value' } });
});

test('admins read the stored completions of another project that they name; other keys get a 403', async () => {
  const { blobs } = memoryWork();
  const stores = openMemoryStores();
  const project = {
    id: 'other',
    name: 'Other',
    created: 1,
    archived: null,
    storageLimitBytes: null,
    ...noAccessLimits,
  };
  await stores.keys.addProject(project);
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'small',
    choices: [],
    metadata: {},
  } as const;
  const messages = [{ id: 'chatcmpl-1-0', role: 'user', content: 'Hello' }];
  await stores.project('other').completions.append({ completion, messages });
  const authenticate = (role: string) =>
    role === 'admin' || role === 'full' ? ({ keyId: role, project: 'own', role } as const) : undefined;
  const { url } = await listen({
    engines: [],
    stores,
    blobs,
    worker: false,
    keys: { authenticate },
  });
  const get = async (path: string, role: string): Promise<unknown> => {
    const response = await fetch(`${url}/v1/chat/completions${path}`, { headers: { authorization: `Bearer ${role}` } });
    return { status: response.status, ...((await response.json()) as object) };
  };
  for (const path of ['?', '/chatcmpl-1?', '/chatcmpl-1/messages?'])
    expect(await get(`${path}project_id=other`, 'full')).toMatchObject({ status: 403, error: { param: 'project_id' } });
  const other = { id: 'chatcmpl-1', project_id: 'other' };
  expect(await get('?project_id=other', 'admin')).toMatchObject({ status: 200, data: [other] });
  expect(await get('/chatcmpl-1?project_id=other', 'admin')).toMatchObject({ status: 200, ...other });
  expect(await get('/chatcmpl-1/messages?project_id=other', 'admin')).toMatchObject({ data: [{ content: 'Hello' }] });
  expect(await get('?project_id=*', 'full')).toMatchObject({ status: 403, error: { param: 'project_id' } });
  expect(await get('?project_id=*&view=summary', 'admin')).toMatchObject({ status: 200, data: [other] });
  expect(await get('/chatcmpl-1?project_id=*', 'admin')).toMatchObject({ status: 200, ...other });
  expect(await get('/chatcmpl-1/messages?project_id=*', 'admin')).toMatchObject({ data: [{ content: 'Hello' }] });
  expect(await get('/chatcmpl-2?project_id=*', 'admin')).toMatchObject({ status: 404 });
  expect(await get('/chatcmpl-2/messages?project_id=*', 'admin')).toMatchObject({ status: 404 });
  expect(await get('?project_id=*&after=chatcmpl-2', 'admin')).toMatchObject({
    status: 400,
    error: { param: 'after' },
  });
  expect(await get('?project_id=own', 'full')).toMatchObject({ status: 200, data: [] });
  expect(await get('?', 'admin')).toMatchObject({ status: 200, data: [] });
  expect(await get('?project_id=none', 'admin')).toMatchObject({ status: 404, error: { param: 'project_id' } });
});

describe('a list of stored completions that takes too long', () => {
  test('returns 503, and names the metadata filter and how to narrow it', async () => {
    const slow = { cause: 'timeout', isSlowQuery: true } as const;
    const { response, error, log } = await listing('metadata[topic]=bread&metadata[kind]=b', slow);
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(error).toMatchObject({ code: 'query_timeout', param: 'metadata' });
    expect(error.message).toBe(
      'The query took longer than the storage of this server allows. Narrow the filter metadata[topic], metadata[kind]: ' +
        'use a key and value that fewer completions have, or filter by `model` too.',
    );
    await expect.poll(() => log.map(({ outage }) => outage?.cause)).toEqual(['timeout']);
  });

  test('without a metadata filter, names the limit', async () => {
    const { error } = await listing('limit=100', { cause: 'timeout', isSlowQuery: true });
    expect(error).toMatchObject({ code: 'query_timeout', param: null });
    expect(error.message).toContain('`limit`');
  });

  test('returns storage_unavailable if all threads are busy', async () => {
    const { error } = await listing('metadata[topic]=bread', { cause: 'timeout: all threads are busy' });
    expect(error).toMatchObject({ code: 'storage_unavailable', param: null });
  });
});
