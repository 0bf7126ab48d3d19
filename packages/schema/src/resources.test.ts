import { completionWindowSeconds } from './batches/completion-window.ts';
import { expect, test } from 'vitest';
import { contract, type EndpointId } from './contract.ts';
import { parseFields } from './parsing/fields.ts';
import { parseRequest } from './parsing/parse.ts';
import { batchInputLineSchema } from './batches/lines.ts';

const batch = { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' };
const upload = { filename: 'a.jsonl', bytes: 10, mime_type: 'text/plain', purpose: 'batch' };

function parse(id: EndpointId, body: unknown): unknown {
  const schema = contract[id].request[0]?.schema;
  if (!schema) throw new Error(`${id} takes no body`);
  return parseRequest(schema, body);
}

test.each<[EndpointId, object]>([
  ['moderations.create', { input: 'a' }],
  ['moderations.create', { input: ['a', 'b'], model: 'omni-moderation-latest' }],
  [
    'moderations.create',
    {
      input: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
      ],
    },
  ],
  ['embeddings.create', { model: 'm', input: 'a' }],
  ['embeddings.create', { model: 'm', input: ['a', 'b'], encoding_format: 'base64', dimensions: 2, user: 'u' }],
  ['embeddings.create', { model: 'm', input: [1, 2, 3] }],
  ['embeddings.create', { model: 'm', input: [[1, 2], [3]] }],
  ['chat.completions.update', { metadata: {} }],
  ['batches.create', { ...batch, metadata: null, output_expires_after: { anchor: 'created_at', seconds: 3600 } }],
  ['uploads.create', { ...upload, bytes: 8 * 1024 ** 3 }],
  ['uploads.complete', { part_ids: ['part_1'], md5: 'd41d8cd98f00b204e9800998ecf8427e' }],
  ['videos.create', { prompt: 'a', seconds: '8', size: '1280x720', input_reference: { file_id: 'file-1' } }],
  ['videos.edit', { video: { id: 'video_1' }, prompt: 'a' }],
  ['videos.extend', { video: { id: 'video_1' }, prompt: 'a', seconds: '4' }],
  ['videos.remix', { prompt: 'a' }],
])('%s accepts %j as it is', (id, body) => {
  expect(parse(id, body)).toEqual({ ok: true, value: body });
});

test.each<[EndpointId, unknown, string, string]>([
  ['moderations.create', {}, 'missing_required_parameter', 'input'],
  ['moderations.create', { input: 5 }, 'invalid_type', 'input'],
  ['moderations.create', { input: [] }, 'empty_array', 'input'],
  ['moderations.create', { input: ['a', 5] }, 'invalid_type', 'input[1]'],
  ['moderations.create', { input: [{ type: 'text' }] }, 'missing_required_parameter', 'input[0].text'],
  ['moderations.create', { input: [{ type: 'audio' }] }, 'invalid_value', 'input[0].type'],
  [
    'moderations.create',
    { input: [{ type: 'image_url', image_url: { url: 'x' } }] },
    'invalid_value',
    'input[0].image_url.url',
  ],
  ['moderations.create', { input: 'a', model: 5 }, 'invalid_type', 'model'],
  ['embeddings.create', { model: 'm' }, 'missing_required_parameter', 'input'],
  ['embeddings.create', { input: 'a' }, 'missing_required_parameter', 'model'],
  ['embeddings.create', { model: 'm', input: {} }, 'invalid_type', 'input'],
  ['embeddings.create', { model: 'm', input: '' }, 'empty_string', 'input'],
  ['embeddings.create', { model: 'm', input: [] }, 'empty_array', 'input'],
  ['embeddings.create', { model: 'm', input: ['a', ''] }, 'empty_string', 'input[1]'],
  ['embeddings.create', { model: 'm', input: ['a', 1] }, 'invalid_type', 'input[1]'],
  ['embeddings.create', { model: 'm', input: [1, 'a'] }, 'invalid_type', 'input[1]'],
  ['embeddings.create', { model: 'm', input: [[1], []] }, 'empty_array', 'input[1]'],
  ['embeddings.create', { model: 'm', input: [[1], [2, 0.5]] }, 'invalid_type', 'input[1][1]'],
  ['embeddings.create', { model: 'm', input: [1, -1] }, 'integer_below_min_value', 'input[1]'],
  ['embeddings.create', { model: 'm', input: [2 ** 31] }, 'integer_above_max_value', 'input[0]'],
  ['embeddings.create', { model: 'm', input: 'a', encoding_format: 'int8' }, 'invalid_value', 'encoding_format'],
  ['embeddings.create', { model: 'm', input: 'a', dimensions: 0 }, 'integer_below_min_value', 'dimensions'],
  ['chat.completions.update', {}, 'missing_required_parameter', 'metadata'],
  ['chat.completions.update', { metadata: {}, model: 'm' }, 'unknown_parameter', 'model'],
  ['chat.completions.update', { metadata: { a: null } }, 'invalid_type', 'metadata.a'],
  ['batches.create', { ...batch, endpoint: '/v1/files' }, 'invalid_value', 'endpoint'],
  ['batches.create', { ...batch, completion_window: '169h' }, 'invalid_value', 'completion_window'],
  [
    'batches.create',
    { ...batch, output_expires_after: { anchor: 'created_at', seconds: 60 } },
    'integer_below_min_value',
    'output_expires_after.seconds',
  ],
  ['uploads.create', { ...upload, bytes: 8 * 1024 ** 3 + 1 }, 'integer_above_max_value', 'bytes'],
  ['uploads.create', { ...upload, purpose: 'batch_output' }, 'invalid_value', 'purpose'],
  ['uploads.complete', { part_ids: ['a'], md5: 'x' }, 'invalid_value', 'md5'],
  ['videos.create', { prompt: '' }, 'empty_string', 'prompt'],
  ['videos.create', { prompt: 'a', seconds: 4 }, 'invalid_type', 'seconds'],
  ['videos.create', { prompt: 'a', input_reference: {} }, 'invalid_value', 'input_reference'],
  ['videos.edit', { prompt: 'a' }, 'missing_required_parameter', 'video'],
  ['videos.edit', { video: {}, prompt: 'a' }, 'missing_required_parameter', 'video.id'],
  ['videos.extend', { video: { id: 'video_1' }, prompt: 'a' }, 'missing_required_parameter', 'seconds'],
  ['videos.remix', {}, 'missing_required_parameter', 'prompt'],
])('%s refuses %j with %s, naming %s', (id, body, code, param) => {
  expect(parse(id, body)).toMatchObject({ ok: false, problem: { code, param } });
});

test.each([
  ['2,049 texts', 'array_above_max_length', Array(2049).fill('a')],
  ['32,769 tokens', 'array_above_max_length', Array(32_769).fill(1)],
  ['330,000 tokens in 11 inputs', 'invalid_value', Array(11).fill(Array(30_000).fill(1))],
  ['a text of 262,145 characters', 'string_above_max_length', 'a'.repeat(262_145)],
  ['2,250,000 characters in 9 texts', 'invalid_value', Array(9).fill('a'.repeat(250_000))],
])('embeddings.create refuses %s with %s', (_title, code, input) => {
  expect(parse('embeddings.create', { model: 'm', input })).toMatchObject({ problem: { code, param: 'input' } });
});

test.each([
  ['1h', 1],
  ['24h', 24],
  ['168h', 168],
  ['1d', 24],
  ['7d', 168],
])('a batch may have a window of %s', (completion_window, hours) => {
  expect(parse('batches.create', { ...batch, completion_window })).toMatchObject({ ok: true });
  expect(completionWindowSeconds(completion_window)).toBe(hours * 3600);
});

test.each(['0h', '01h', '169h', '8d', '1.5h', '24', 'h', '60m', '24H', ' 24h', '24h ', '-1h'])(
  'a batch may not have a window of %j, and the error says which it may have',
  (completion_window) => {
    expect(completionWindowSeconds(completion_window)).toBeUndefined();
    expect(parse('batches.create', { ...batch, completion_window })).toMatchObject({
      problem: { param: 'completion_window', message: expect.stringContaining('1h to 168h') as string },
    });
  },
);

test.each([Infinity, -Infinity])('says that %s, which JSON.parse returns for 1e400, is out of range', (dimensions) => {
  expect(parse('embeddings.create', { model: 'm', input: 'x', dimensions })).toMatchObject({
    problem: {
      code: 'invalid_type',
      message:
        "Invalid type for 'dimensions': expected a number, but got a number outside the supported range instead.",
    },
  });
});

test('says which characters the ID of a project can have', () => {
  expect(parse('organization.projects.create', { name: 'Shop', id: '../shop' })).toMatchObject({
    problem: {
      param: 'id',
      message:
        "Invalid value for 'id': expected 1 to 64 letters, digits, underscores, dashes and dots, other than '.' and '..', but got '../shop' instead.",
    },
  });
});

test('rejects an item that matches neither of two types, and names both', () => {
  expect(parse('moderations.create', { input: [5] })).toMatchObject({
    problem: {
      param: 'input[0]',
      message: "Invalid type for 'input[0]': expected one of a string or an object, but got an integer instead.",
    },
  });
});

test('a batch line has an endpoint and a body', () => {
  const line = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'm' } };
  expect(parseRequest(batchInputLineSchema, line)).toEqual({ ok: true, value: line });
  expect(parseRequest(batchInputLineSchema, { ...line, method: 'GET' })).toMatchObject({
    problem: { param: 'method' },
  });
});

const list = contract['chat.completions.list'].query;

test('parses a query by its schema: numbers as numbers, brackets as fields', () => {
  const search = new URLSearchParams('limit=5&order=desc&after=chatcmpl-1&model=m&metadata[a]=1&metadata[b%5Bc%5D]=2');
  expect(parseFields(list, search)).toEqual({
    ok: true,
    value: { limit: 5, order: 'desc', after: 'chatcmpl-1', model: 'm', metadata: { a: '1', 'b[c]': '2' } },
  });
});

test('a limit above the maximum page size is reduced to it; an empty after requests the first page', () => {
  expect(parseFields(list, new URLSearchParams('limit=1000&after='))).toMatchObject({
    ok: true,
    value: { limit: 100 },
  });
  expect(parseFields(list, new URLSearchParams('after=')).ok).toBe(true);
});

test.each([
  ['limit=-1', 'integer_below_min_value', 'limit'],
  ['limit=ten', 'invalid_type', 'limit'],
  ['limit=1.5', 'invalid_type', 'limit'],
  ['limit=', 'invalid_type', 'limit'],
  ['order=up', 'invalid_value', 'order'],
  ['page=2', 'unknown_parameter', 'page'],
  ['limit=1&limit=2', 'invalid_value', 'limit'],
  ['metadata=a', 'invalid_type', 'metadata'],
  ['metadata=a&metadata[b]=c', 'invalid_value', 'metadata.b'],
  ['metadata[a]=1&metadata[a]=2', 'invalid_value', 'metadata.a'],
  ['metadata[__proto__]=1', 'unknown_parameter', 'metadata.__proto__'],
])('a query refuses %s with %s, naming %s', (search, code, param) => {
  expect(parseFields(list, new URLSearchParams(search))).toMatchObject({ ok: false, problem: { code, param } });
});

test('parses lists with empty brackets, or a single value without them', () => {
  const usage = contract['usage.completions'].query;
  expect(parseFields(usage, new URLSearchParams('start_time=1&models[]=a&models[]=b&group_by=model'))).toEqual({
    ok: true,
    value: { start_time: 1, models: ['a', 'b'], group_by: ['model'] },
  });
  expect(parseFields(usage, new URLSearchParams('start_time=1&group_by[]=colour'))).toMatchObject({
    ok: false,
    problem: { param: 'group_by[0]' },
  });
});

test('parses a form like a query', () => {
  const form = contract['files.create'].request[0];
  if (!form) throw new Error('files.create takes a form');
  const fields: [string, string][] = [
    ['purpose', 'batch'],
    ['expires_after[anchor]', 'created_at'],
    ['expires_after[seconds]', '3600'],
  ];
  expect(parseFields(form.schema, fields)).toEqual({
    ok: true,
    value: { purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 3600 } },
  });
});
