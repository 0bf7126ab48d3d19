import { createHash } from 'node:crypto';
import type { RequestRecord } from '@modelwire/ports';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiDocument } from '../testing/api-document.ts';
import type { ApiDocument, Operation } from '../testing/api-document.ts';
import { runCodeSample } from '../testing/run-code-sample.ts';
import { documentedRequests } from '../testing/documented-request.ts';
import type { DocumentedAnswer, DocumentedRequest, SendDocumented } from '../testing/documented-request.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { webhookRecord } from '../testing/webhook-record.ts';

let server: TestServer;
let document: ApiDocument;
let send: SendDocumented;
beforeAll(async () => {
  server = await startTestServer({});
  document = await apiDocument(server.url);
  send = documentedRequests(server.url, document);
});
afterAll(() => server.stop());

describe('code samples', () => {
  const sampleOf = (operation: Operation, lang: string): string =>
    operation['x-codeSamples'].find((sample) => sample.lang === lang)?.source ?? '';

  test('in JavaScript send the request of their operation, with its first example', async () => {
    for (const operation of document.operations.values()) {
      const { method, path, requestBody } = operation;
      const sent: { method: string; path: string; body: unknown }[] = [];
      await runCodeSample(sampleOf(operation, 'JavaScript'), {
        url: server.url,
        fetch(url, init) {
          sent.push({ method: init.method ?? 'GET', path: new URL(url).pathname, body: init.body });
          // The results of batches of messages are read from the address that the batch names.
          return Promise.resolve(Response.json({ data: [], results_url: `${new URL(url).origin}${samplePath(path)}` }));
        },
      });
      const json = Object.values(requestBody?.content['application/json']?.examples ?? {})[0];
      expect(sent.at(-1), operation.operationId).toMatchObject({
        method: method.toUpperCase(),
        path: samplePath(path),
      });
      const { body } = sent.at(-1) ?? {};
      if (json && typeof body === 'string') expect(JSON.parse(body)).toMatchObject(json.value);
      else if (requestBody) expect(body).toBeInstanceOf(FormData);
    }
  });

  test('in JavaScript run with the official SDKs', async () => {
    const key = await server.makeKey({ role: 'admin' });
    const run = (id: string): Promise<unknown> =>
      runCodeSample(sampleOf(operationOf(id), 'JavaScript'), {
        url: server.url,
        key,
        fetch,
      });
    expect(await run('chat_completions_create')).toMatchObject({ object: 'chat.completion' });
    expect(await run('messages_create')).toMatchObject({ type: 'message' });
    expect(await run('responses_create')).toMatchObject({ object: 'response' });
    expect(await run('files_create')).toMatchObject({ object: 'file', bytes: 11 });
    expect(await run('models_list')).toHaveProperty('data');
    expect(await run('organization_projects_list')).toMatchObject({ object: 'list' });
  });

  test('with curl name the method, the path and the example of their operation', () => {
    for (const operation of document.operations.values()) {
      const source = sampleOf(operation, 'Shell');
      expect(source).toContain(`"$MODELWIRE_BASE_URL${samplePath(operation.path).slice('/v1'.length)}`);
      const json = /-d '(.*)'$/s.exec(source)?.[1]?.replaceAll("'\\''", "'");
      const example = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0];
      expect(json && (JSON.parse(json) as unknown)).toEqual(example?.value);
      // Samples in Go have it in a raw string.
      expect(json ?? '').not.toContain('`');
    }
  });

  /** Samples name the parameters of a path. */
  const samplePath = (path: string): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? 'simulator' : name.toUpperCase()));
});

describe('the document', () => {
  test('describes every property, parameter, header and schema', () => {
    const undescribed: string[] = [];
    const has = (node: unknown): boolean => {
      if (!isObject(node)) return false;
      const { $ref: reference, anyOf: alternatives } = node;
      if (typeof node['description'] === 'string') return true;
      if (typeof reference === 'string') return has(resolve(document.json, reference));
      return Array.isArray(alternatives) && alternatives.every((each) => isNull(each) || has(each));
    };
    const look = (node: unknown, at: string): void => {
      if (Array.isArray(node)) node.forEach((each, index) => look(each, `${at}/${index}`));
      if (!isObject(node)) return;
      const properties = node['type'] === 'object' && isObject(node['properties']) ? node['properties'] : {};
      for (const [name, property] of Object.entries(properties))
        if (!has(property)) undescribed.push(`${at}/properties/${name}`);
      if (typeof node['in'] === 'string' && !has(node)) undescribed.push(at);
      for (const [name, child] of Object.entries(node))
        if (!/^(?:examples?|default)$/.test(name)) look(child, `${at}/${name}`);
    };
    look(document.json, '');
    const { schemas, headers, securitySchemes } = document.json['components'] as Record<
      string,
      Record<string, unknown>
    >;
    for (const [name, each] of Object.entries({ ...schemas, ...headers, ...securitySchemes }))
      if (!has(each)) undescribed.push(name);
    expect(undescribed).toEqual([]);
  });

  test('has only references that resolve', () => {
    const references = [...JSON.stringify(document.json).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '');
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((to) => resolve(document.json, to) === undefined)).toEqual([]);
  });

  test('lists the batch endpoints of this server', () => {
    const { endpoint } = (
      resolve(document.json, '#/components/schemas/BatchCreateParams') as { properties: Record<string, unknown> }
    ).properties;
    expect(endpoint).toMatchObject({
      enum: [
        '/v1/chat/completions',
        '/v1/responses',
        '/v1/messages',
        '/v1/completions',
        '/v1/embeddings',
        '/v1/moderations',
        '/v1/datasets',
        '/v1/datasets/rerun',
        '/v1/datasets/compare',
      ],
    });
  });

  test('has request examples that match its schemas', () => {
    for (const { operationId, path, method, requestBody } of document.operations.values()) {
      for (const [type, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
        const at = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
        for (const { value } of Object.values(examples))
          expect(document.mismatch(at, value), operationId).toBeUndefined();
      }
    }
  });
});

test('the examples of the remaining operations succeed', async () => {
  const idle = await startTestServer({ worker: false });
  const sendIdle = documentedRequests(idle.url, document);
  const file = await sendIdle('files_create', { body: formOf('files_create', line, { purpose: 'batch' }) });
  const [example] = Object.values(
    operationOf('batches_create').requestBody?.content['application/json']?.examples ?? {},
  );
  const batch = await sendIdle('batches_create', { body: { ...example?.value, input_file_id: file.json['id'] } });
  const cancelled = await sendIdle('batches_cancel', { params: { batch_id: String(batch.json['id']) } });
  await idle.stop();
  expect(cancelled.status).toBe(200);
  const usage = await send('usage_completions', {
    query: { start_time: exampleOf('usage_completions', 'start_time') },
    headers: await operator(),
  });
  expect(usage.status).toBe(200);
});

test('accepted bodies match the schemas of the document, as JSON and as forms', async () => {
  const idle = await startTestServer({ worker: false });
  onTestFinished(() => idle.stop());
  const sendIdle = documentedRequests(idle.url, document);
  const accepted = async (id: string, body: unknown, params: Readonly<Record<string, string>> = {}) => {
    const answer = await sendIdle(id, { body, params });
    expect(answer.status, `${id}: ${answer.text}`).toBe(200);
    return String(answer.json['id']);
  };
  const expires = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
  await accepted('files_create', formOf('files_create', line, { purpose: 'batch', ...expires }));
  const image = new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' });
  const imageForm = formWith({ purpose: 'vision' });
  imageForm.set('file', image, 'pixel.png');
  const file_id = await accepted('files_create', imageForm);

  const upload = { bytes: 5, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' };
  const upload_id = await accepted('uploads_create', {
    ...upload,
    expires_after: { anchor: 'created_at', seconds: 3600 },
  });
  const part = await accepted('uploads_parts_create', formOf('uploads_parts_create', 'hello'), { upload_id });
  const md5 = createHash('md5').update('hello').digest('hex');
  await accepted('uploads_complete', { part_ids: [part], md5 }, { upload_id });

  const image_url = `data:image/png;base64,${pixel}`;
  const video = { prompt: 'A boat', seconds: '4', size: '720x1280', model: 'storyboard' };
  await accepted('videos_create', { ...video, input_reference: { image_url } });
  await accepted('videos_create', { ...video, input_reference: { file_id } });
  await accepted('videos_create', formWith({ ...video, 'input_reference[image_url]': image_url }));
  await accepted('videos_create', formWith({ ...video, 'input_reference[file_id]': file_id }));
  const videoForm = formWith(video);
  videoForm.set('input_reference', image, 'pixel.png');
  await accepted('videos_create', videoForm);
});

test('the examples of every operation succeed in order', async () => {
  const succeeded = new Set<string>();
  /** Sends each example of an operation, with IDs of existing objects instead of those in the example. */
  const sendExamples = async (
    id: string,
    real: Readonly<Record<string, unknown>> = {},
    request: DocumentedRequest = {},
  ): Promise<DocumentedAnswer> => {
    const content = operationOf(id).requestBody?.content ?? {};
    const bodies: unknown[] = [
      ...Object.values(content['application/json']?.examples ?? {}).map(({ value }) => ({ ...value, ...real })),
      ...Object.values(content['multipart/form-data']?.examples ?? {}).map(({ value }) =>
        formWith({ ...value, ...real }),
      ),
    ];
    let answer: DocumentedAnswer | undefined;
    for (const example of bodies.length > 0 ? bodies : [undefined]) {
      const body = request.body ?? example;
      answer = await send(id, { ...request, ...(body !== undefined && { body }) });
      expect(answer.status, `${id}: ${answer.text}`).toBeLessThan(300);
    }
    succeeded.add(id);
    if (!answer) throw new Error(`${id} was not sent`);
    return answer;
  };
  const idOf = ({ json }: DocumentedAnswer): string => String(json['id']);

  await sendExamples('models_retrieve', {}, { params: { model: exampleOf('models_retrieve', 'model') } });
  await sendExamples('capabilities_retrieve', {}, { params: { model: exampleOf('capabilities_retrieve', 'model') } });
  const completion = { params: { completion_id: idOf(await sendExamples('chat_completions_create')) } };
  await sendExamples('chat_completions_list', {}, { query: { limit: '20', 'metadata[topic]': 'titles' } });
  await sendExamples('chat_completions_retrieve', {}, completion);
  await sendExamples('chat_completions_messages_list', {}, completion);
  await sendExamples('chat_completions_update', {}, completion);
  await sendExamples('chat_completions_delete', {}, completion);
  const messages = [{ role: 'user', content: 'Hello' }];
  const streamed = { model: 'simulator', messages, stream: true, stream_options: { resumable: true } };
  const { text: events } = await send('chat_completions_create', { body: streamed });
  const completion_id = /"id":"(chatcmpl-[^"]+)"/.exec(events)?.[1] ?? '';
  await sendExamples('chat_completions_resume', {}, { params: { completion_id } });

  const file = {
    params: {
      file_id: idOf(
        await sendExamples('files_create', {}, { body: formOf('files_create', line, { purpose: 'batch' }) }),
      ),
    },
  };
  await sendExamples('files_retrieve', {}, file);
  await sendExamples('files_content', {}, file);
  await send('files_content', { ...file, headers: { range: 'bytes=0-3' } });
  const batch = {
    params: { batch_id: idOf(await sendExamples('batches_create', { input_file_id: file.params.file_id })) },
  };
  await sendExamples('batches_retrieve', {}, batch);
  const messageBatch = { params: { batch_id: idOf(await sendExamples('messages_batches_create')) } };
  const isEnded = async () => (await send('messages_batches_retrieve', messageBatch)).json['processing_status'];
  await expect.poll(isEnded, { timeout: 60_000 }).toBe('ended');
  for (const action of ['retrieve', 'cancel', 'results', 'delete'])
    await sendExamples(`messages_batches_${action}`, {}, messageBatch);
  const { json: dataset } = await send('datasets_create', { body: { format: 'evaluation' } });
  const ofOthers = { input_file_id: file.params.file_id, completion_window: '24h' } as const;
  const { id: failed } = await server.client.batches.create({ ...ofOthers, endpoint: '/v1/embeddings' });
  await expect.poll(async () => (await server.client.batches.retrieve(failed)).status).toBe('failed');
  await sendExamples('datasets_compare', { dataset: dataset['id'], candidate_batch_ids: [failed] });
  await sendExamples('datasets_rerun', { dataset: dataset['id'] });
  await sendExamples('files_delete', {}, file);

  const upload = { params: { upload_id: idOf(await sendExamples('uploads_create')) } };
  const part = idOf(
    await sendExamples('uploads_parts_create', {}, { ...upload, body: formOf('uploads_parts_create', 'hello world') }),
  );
  await sendExamples('uploads_complete', { part_ids: [part] }, upload);
  await sendExamples('uploads_cancel', {}, { params: { upload_id: idOf(await sendExamples('uploads_create')) } });

  const video = idOf(await sendExamples('videos_create'));
  await expect
    .poll(async () => (await server.client.videos.retrieve(video)).status, { timeout: 60_000 })
    .toBe('completed');
  await sendExamples('videos_retrieve', {}, { params: { video_id: video } });
  await sendExamples('videos_content', {}, { params: { video_id: video } });
  await sendExamples('videos_edit', { video: { id: video } });
  await sendExamples('videos_extend', { video: { id: video } });
  await sendExamples('videos_remix', {}, { params: { video_id: video } });
  await sendExamples('videos_delete', {}, { params: { video_id: video } });
  const stored = await server.client.responses.create({ model: 'simulator', input: 'Hello' });
  const response = { params: { response_id: stored.id } };
  await sendExamples('responses_retrieve', {}, response);
  await sendExamples('responses_input_items_list', {}, { ...response, query: { limit: '20', order: 'asc' } });
  await sendExamples('responses_delete', {}, response);
  const background = await server.client.responses.create({ model: 'simulator', input: 'Hello', background: true });
  await sendExamples('responses_cancel', {}, { params: { response_id: background.id } });
  const conversation = { params: { conversation_id: idOf(await sendExamples('conversations_create')) } };
  await sendExamples('conversations_retrieve', {}, conversation);
  await sendExamples('conversations_update', {}, conversation);
  const { json: added } = await sendExamples('conversations_items_create', {}, conversation);
  const item = { params: { ...conversation.params, item_id: String(added['first_id']) } };
  await sendExamples('conversations_items_list', {}, { ...conversation, query: { limit: '20', order: 'asc' } });
  await sendExamples('conversations_items_retrieve', {}, item);
  await sendExamples('conversations_items_delete', {}, item);
  await sendExamples('conversations_delete', {}, conversation);
  // Administration needs another key: the test below.
  const others = () =>
    [...document.operations.values()].filter(
      ({ operationId: id }) => !succeeded.has(id) && !/^(usage|organization)_/.test(id),
    );
  for (const { operationId, parameters } of others())
    if (parameters.every((parameter) => parameter.in !== 'path')) await sendExamples(operationId);
  expect(others().map(({ operationId }) => operationId)).toEqual(['batches_cancel']);
}, 120_000);

const loggedRequest: RequestRecord = {
  ...{ id: 'req_1', created: 1, project: 'default', keyId: 'key_1', endpoint: '/v1/chat/completions', model: '' },
  outcome: 'succeeded',
  ...{ status: 200, error: null, isStreamed: false, durationMs: 1, firstTokenMs: null },
  ...{ inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicros: 1, currency: 'usd', response: null, batch: null },
};

test('every example of the administration is accepted, and each response is documented', async () => {
  const headers = await operator();
  const succeeded = new Set<string>();
  async function sendExamples(id: string, params: Readonly<Record<string, string>> = {}): Promise<string> {
    const examples = Object.values(operationOf(id).requestBody?.content['application/json']?.examples ?? {});
    const query: Readonly<Record<string, string>> =
      id === 'organization_costs' ? { start_time: exampleOf(id, 'start_time') } : {};
    let createdId = '';
    for (const { value } of examples.length > 0 ? examples : [{ value: undefined }]) {
      const answer = await send(id, { params, headers, query, ...(value !== undefined && { body: value }) });
      expect(answer.status, `${id} ${answer.text}`).toBe(200);
      createdId = String(answer.json['id']);
    }
    succeeded.add(id);
    return createdId;
  }
  async function sendEach(
    resource: string,
    actions: readonly string[],
    params: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (const action of actions) await sendExamples(`organization_${resource}_${action}`, params);
  }
  const project = { project_id: await sendExamples('organization_projects_create') };
  await sendEach('projects', ['list', 'retrieve', 'update'], project);
  const key = { ...project, api_key_id: await sendExamples('organization_projects_api_keys_create', project) };
  await sendEach('projects_api_keys', ['list', 'retrieve', 'update', 'rotate', 'delete'], key);
  await sendExamples('organization_projects_archive', project);
  const budget = { budget_id: await sendExamples('organization_budgets_create') };
  await sendEach('budgets', ['list', 'retrieve', 'update', 'reset', 'delete'], budget);
  const { webhooks } = server.stores;
  // Refused before anything is sent: its address is not public.
  const delivered = webhookRecord('webhook_local', 'http://127.0.0.1/');
  await webhooks.add(delivered);
  await webhooks.publish({ id: 'evt_1', type: 'upstream.up', project: null, created: 1, data: {} });
  const delivery = { webhook_id: delivered.id, delivery_id: `evt_1.${delivered.id}` };
  await sendEach('webhooks_deliveries', ['list', 'retrieve', 'redeliver'], delivery);
  const created = { webhook_id: await sendExamples('organization_webhooks_create') };
  await sendEach('webhooks', ['list', 'retrieve', 'update', 'rotate_secret', 'delete'], created);
  await sendExamples('organization_audit_logs_list');
  await server.stores.requestLog?.append([loggedRequest]);
  await sendEach('request_logs', ['list', 'retrieve'], { request_id: loggedRequest.id });
  await sendExamples('organization_costs');
  const others = [...document.operations.keys()].filter((id) => id.startsWith('organization_') && !succeeded.has(id));
  expect(others).toEqual([]);
});

test('every error response is documented', async () => {
  for (const { operationId, parameters, requestBody } of document.operations.values()) {
    const params = Object.fromEntries(
      parameters.filter((each) => each.in === 'path').map(({ name }) => [name, 'absent-1']),
    );
    const wrongKey = await send(operationId, { params, headers: { authorization: 'Bearer wrong' } });
    expect(wrongKey.status, operationId).toBe(401);
    const headers = /^(usage|organization)_/.test(operationId) ? await operator() : {};
    const wrongQuery = await send(operationId, {
      params,
      headers,
      query: { nothing: 'a' },
      ...(requestBody && { body: {} }),
    });
    // Clients send parameters of their own with requests for models and for batches of messages.
    const ignoresQuery = /^models_|^messages_batches_(?!create|list)/.test(operationId);
    expect(wrongQuery.status, operationId).toBe(ignoresQuery ? statusOfAbsent(params) : 400);
    const absent = await send(operationId, { params, headers, ...(requestBody && { body: {} }) });
    expect(absent.status === 200 || [400, 404, 415].includes(absent.status), `${operationId} ${absent.text}`).toBe(
      true,
    );
    if (!requestBody) continue;
    expect(
      (await send(operationId, { params, body: [], headers: { 'content-type': 'text/plain' } })).status,
    ).toBeGreaterThanOrEqual(400);
    expect(
      (await send(operationId, { params, body: { messages: 1, prompt: 1, input: 1, purpose: 1 } })).status,
    ).toBeGreaterThanOrEqual(400);
  }
});

function statusOfAbsent(params: Readonly<Record<string, string>>): number {
  return Object.keys(params).length > 0 ? 404 : 200;
}

/** The header of a key that may administer the server. */
async function operator(): Promise<Readonly<Record<string, string>>> {
  return { authorization: `Bearer ${await server.makeKey({ role: 'admin' })}` };
}

function operationOf(id: string): Operation {
  const found = document.operations.get(id);
  if (!found) throw new Error(`The document has no operation '${id}'.`);
  return found;
}

function exampleOf(id: string, parameter: string): string {
  return String(operationOf(id).parameters.find(({ name }) => name === parameter)?.example);
}

function formWith(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (isObject(value)) for (const [key, inner] of Object.entries(value)) form.set(`${name}[${key}]`, String(inner));
    else form.set(name, String(value));
  }
  return form;
}

/** A form with a file of this content in its file field, and the fields. */
function formOf(id: string, content: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const schema = operationOf(id).requestBody?.content['multipart/form-data']?.schema as {
    readonly properties: Readonly<Record<string, { readonly format?: string }>>;
  };
  const form = formWith(fields);
  for (const [name, { format }] of Object.entries(schema.properties)) {
    if (format === 'binary') form.set(name, new Blob([content], { type: 'application/jsonl' }), 'requests.jsonl');
  }
  return form;
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const line = JSON.stringify({
  custom_id: 'one',
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'simulator', messages: [{ role: 'user', content: 'Hello' }] },
});

type Json = Readonly<Record<string, unknown>>;

const isNull = (schema: unknown): boolean => isObject(schema) && schema['type'] === 'null';

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function resolve(json: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = json;
  for (const part of reference.slice(2).split('/')) node = isObject(node) ? node[part] : undefined;
  return node;
}
