import { expect, test } from 'vitest';
import { allCapabilities } from '@modelwire/ports';
import type { UpstreamOptions } from './options.ts';
import { resolveOptions } from './settings.ts';

const baseURL = 'http://gpu:8000/v1/';
const minimalOptions: UpstreamOptions = { upstreams: [{ baseURL }], models: { m: {} } };

test('fills in the defaults', () => {
  const { circuitBreakers, ...settings } = resolveOptions(minimalOptions, 1700);
  expect(circuitBreakers.circuits()).toEqual([]);
  expect(settings).toEqual({
    name: 'upstream',
    servers: [
      {
        name: 'upstream-1',
        preset: undefined,
        promptCacheKey: undefined,
        forwardsBatches: false,
        supportsResponses: false,
        origin: 'http://gpu:8000',
        basePath: '/v1',
        secrets: [],
        headers: ['content-type', 'application/json', 'accept-encoding', 'identity'],
        configuredHeaders: {},
        weight: 1,
        connections: null,
        timeouts: { connect: 5_000, firstByte: 600_000, idle: 120_000 },
      },
    ],
    models: [
      {
        model: { id: 'm', created: 1700, owned_by: 'upstream', capabilities: allCapabilities() },
        routing: 'affinity',
        shared: [{ server: 'upstream-1', weight: 1, upstreamModel: 'm' }],
        fallback: [],
      },
    ],
    retries: 2,
    routing: { minimumInFlight: 8, keyPartLength: 2048 },
  });
});

test('shares a model that names only its fallback among all other upstreams', () => {
  const upstreams = ['a', 'b', 'c'].map((name) => ({ name, baseURL }));
  const [model] = resolveOptions({ upstreams, models: { m: { fallback: ['a'] } } }, 0).models;
  expect(model?.shared.map(({ server }) => server)).toEqual(['b', 'c']);
  expect(model?.fallback.map(({ server }) => server)).toEqual(['a']);
});

test("prefers a configured header to the engine's", () => {
  const headers = { Authorization: 'Basic eA==' };
  const { servers } = resolveOptions({ ...minimalOptions, upstreams: [{ baseURL, apiKey: 'k', headers }] }, 0);
  expect(servers[0]?.headers).toEqual([
    'content-type',
    'application/json',
    'accept-encoding',
    'identity',
    'authorization',
    'Basic eA==',
  ]);
});

const upstream = (more: object): object => ({ ...minimalOptions, upstreams: [{ baseURL, ...more }] });
const model = (more: object): object => ({ ...minimalOptions, models: { m: more } });

test.each<[string, object]>([
  ['upstreams', { ...minimalOptions, upstreams: [] }],
  ['models', { ...minimalOptions, models: {} }],
  ['retries', { ...minimalOptions, retries: -1 }],
  ['name', { ...minimalOptions, name: '' }],
  ["options has an unknown key 'retry'", { ...minimalOptions, retry: 1 }],
  ['circuitBreaker', { ...minimalOptions, circuitBreaker: true }],
  ['circuitBreaker.failures', { ...minimalOptions, circuitBreaker: { failures: 0 } }],
  ['circuitBreaker.cooldownMs', { ...minimalOptions, circuitBreaker: { cooldownMs: 1.5 } }],
  ["circuitBreaker has an unknown key 'limit'", { ...minimalOptions, circuitBreaker: { limit: 1 } }],
  [
    'upstreams must not name an upstream twice',
    {
      ...minimalOptions,
      upstreams: [
        { baseURL, name: 'a' },
        { baseURL, name: 'a' },
      ],
    },
  ],
  ['routing.minimumInFlight', { ...minimalOptions, routing: { minimumInFlight: 0 } }],
  ['routing.keyPartLength', { ...minimalOptions, routing: { keyPartLength: 0 } }],
  ["routing has an unknown key 'policy'", { ...minimalOptions, routing: { policy: 'affinity' } }],
  ['upstreams[0].baseURL', upstream({ baseURL: 'gpu:8000' })],
  ['upstreams[0].baseURL', upstream({ baseURL: 'http://user:secret@gpu/v1' })],
  ['upstreams[0].baseURL', upstream({ baseURL: 'http://gpu/v1?key=secret' })],
  ['upstreams[0].apiKey', upstream({ apiKey: 'secret\n' })],
  ["upstreams[0].headers['x']", upstream({ headers: { x: 'secret\r\nb: c' } })],
  ['upstreams[0].headers', upstream({ headers: { 'a b': 'c' } })],
  ['upstreams[0].headers', upstream({ headers: { 'X-Request-Id': 'c' } })],
  ['upstreams[0].preset', upstream({ preset: 'llama' })],
  ["upstreams[0].promptCacheKey has an unknown key 'slot'", upstream({ promptCacheKey: { slot: 1 } })],
  ['upstreams[0].promptCacheKey.slots', upstream({ promptCacheKey: { slots: 0 } })],
  ['upstreams[0].promptCacheKey', upstream({ promptCacheKey: 'salt' })],
  ['upstreams[0].weight', upstream({ weight: Number.NaN })],
  ['upstreams[0].connections', upstream({ connections: 0 })],
  ['upstreams[0].timeouts.idle', upstream({ timeouts: { idle: 0 } })],
  ["upstreams[0].timeouts has an unknown key 'total'", upstream({ timeouts: { total: 1 } })],
  ["models['m'].upstreams", model({ upstreams: ['nobody'] })],
  ["models['m'].routing must be one of affinity, least-loaded, weighted", model({ routing: 'random' })],
  ["models['m'].fallback", model({ fallback: ['nobody'] })],
  ["models['m'].upstreams must name at least one", model({ upstreams: [] })],
  ["models['m'].upstreams and .fallback", model({ upstreams: ['upstream-1'], fallback: ['upstream-1'] })],
  ["models['m'].upstreamModel", model({ upstreamModel: '' })],
  ["models['m'].upstreamModel has an unknown key 'nobody'", model({ upstreamModel: { nobody: 'x' } })],
  ["models['m'].created", model({ created: '1' })],
])('rejects an invalid option by name, without its value: %s', (named, options) => {
  const resolve = (): unknown => resolveOptions(options as UpstreamOptions, 0);
  expect(resolve).toThrow(TypeError);
  expect(resolve).toThrow(`createUpstream: ${named}`);
  expect(resolve).not.toThrow('secret');
});
