import { valueAt } from '../exchange/value.ts';
import { withHeader, mapJson, replaceObjects, replaceScalars, withoutHeaders } from './mutate.ts';
import type { ProxiedResponse, Change, Mutation } from './mutate.ts';

const isError = ({ status }: Pick<ProxiedResponse, 'status'>): boolean => status >= 400;
const createsAtTopLevel = ({ request }: ProxiedResponse): boolean =>
  request.method === 'POST' && !request.path.includes('/', 1);
const createsGeneration = ({ request }: ProxiedResponse): boolean =>
  ['/chat/completions', '/responses', '/conversations'].includes(request.path) && request.method === 'POST';

/** Response fields that the run needs to continue. */
const REQUIRED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'object',
  'data',
  'has_more',
  'status',
  'file',
  'output_file_id',
]);
/** Response fields that polling needs to end. */
const POLLING_KEYS: ReadonlySet<string> = new Set(['status']);

const changeValues = (change: Change, appliesTo: (response: ProxiedResponse) => boolean = () => true): Mutation => ({
  mutateResponse: (response) =>
    isError(response) || !appliesTo(response) ? undefined : { text: mapJson(response.text, change) },
});

const ignoreQuery = (...names: readonly string[]): Mutation => ({
  mutateRequest: ({ query }) => {
    const remaining = new URLSearchParams(query);
    for (const name of names) for (const key of [...remaining.keys()]) if (key.startsWith(name)) remaining.delete(key);
    return { query: remaining };
  },
});

let count = 0;

/** Faults of stored responses. Each concerns other checks than the rest. */
function breakStoredResponses({
  request: { path, method, query, body },
  status,
  text,
  headers,
}: ProxiedResponse): Partial<ProxiedResponse> | undefined {
  if (method === 'POST' && path === '/responses') {
    const streamsErrors = status >= 400 && text !== '' && valueAt(body, 'stream') === true;
    if (streamsErrors) return { status: 200, headers: withHeader(headers, 'content-type', 'text/event-stream') };
    return /"(?:previous_response_id":"|type":"item_reference)/.test(JSON.stringify(body))
      ? { status: 500, text: '{}' }
      : undefined;
  }
  if (status >= 400) return undefined;
  if (path.endsWith('/cancel'))
    return { text: mapJson(text, (key, value) => (key === 'status' ? 'in_progress' : value)) };
  if (path.endsWith('/input_items') && !query.has('order') && !query.has('limit')) {
    return {
      text: mapJson(text, (key, value) => (key === 'data' && Array.isArray(value) ? value.toReversed() : value)),
    };
  }
  if (/^\/conversations\/[^/]+\/items$/.test(path))
    return { text: mapJson(text, (key, value) => (key === 'id' ? 'msg_other' : value)) };
  return method === 'GET' && /^\/responses\/[^/]+$/.test(path)
    ? { text: mapJson(text, (key, value) => (key === 'text' && typeof value === 'string' ? 'other' : value)) }
    : undefined;
}

/** Servers with one general fault each. Together they make every check fail at least once. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'accepts everything': {
    mutateResponse: (response) => (isError(response) ? { status: 200, text: '{"id":"x"}' } : undefined),
  },
  'has another error shape': {
    mutateResponse: (response) => (isError(response) ? { text: '{"detail":"wrong"}' } : undefined),
  },
  'fails when it should succeed': {
    mutateResponse: (response) =>
      response.status === 200 && response.request.path !== '/models' ? { status: 500, text: '{}' } : undefined,
  },
  'fails after the start': {
    mutateResponse: (response) =>
      isError(response) || createsAtTopLevel(response) || /parts$/.test(response.request.path)
        ? undefined
        : { status: 500, text: '{}' },
  },
  'cannot list models or accept batches, parts, remixes and extensions': {
    mutateResponse: ({ request: { path, method } }) =>
      path === '/models' ||
      (method === 'POST' && /^\/batches$|parts$|remix$|extensions$/.test(path)) ||
      /content$/.test(path)
        ? { status: 500, text: '{}' }
        : undefined,
  },
  'serves nothing': { mutateResponse: ({ request: { path } }) => ({ status: 404, text: `no ${path}` }) },
  'has other types': {
    mutateResponse: (response) =>
      isError(response) ? undefined : { text: replaceScalars(response.text, REQUIRED_KEYS) },
  },
  'has other types where nothing is created': {
    mutateResponse: (response) =>
      isError(response) || createsAtTopLevel(response)
        ? undefined
        : { text: replaceScalars(response.text, POLLING_KEYS) },
  },
  'has other forms': {
    mutateResponse: (response) =>
      isError(response) ? undefined : { text: replaceObjects(response.text, REQUIRED_KEYS) },
  },
  'has other ids': changeValues(
    (key, value) => (['id', 'object', 'status', 'has_more'].includes(key) ? 7 : value),
    createsAtTopLevel,
  ),
  'names nothing': {
    mutateResponse: ({ headers, status }) => ({
      headers: withoutHeaders(headers, 'x-request-id', 'request-id', ...(status < 400 ? ['content-type'] : [])),
    }),
  },
  'has the same name for all': {
    mutateResponse: (response) => ({
      headers: withHeader(response.headers, 'x-request-id', 'req_1'),
      ...(createsGeneration(response) || /parts$|moderations$/.test(response.request.path)
        ? { text: mapJson(response.text, (key, value) => (key === 'id' ? 'one' : value)) }
        : {}),
    }),
  },
  'has other objects': changeValues((key, value) => (key === 'object' ? 'thing' : value)),
  'returns content for missing objects': changeValues((key, value) => value ?? (key === 'after' ? value : { odd: 7 })),
  'has pages of a hundred': {
    mutateRequest: ({ query, path, method }) =>
      query.has('limit') || method !== 'GET' || path !== '/chat/completions'
        ? undefined
        : { query: new URLSearchParams([...query, ['limit', '100']]) },
  },
  'ignores limit': ignoreQuery('limit'),
  'ignores filters': ignoreQuery('metadata', 'model', 'purpose', 'starting_after'),
  'changes every text': changeValues((key, value) =>
    ['content', 'text', 'arguments', 'input', 'token', 'filename', 'model', 'role'].includes(key) ? 'other' : value,
  ),
  'sends other bytes': {
    mutateResponse: ({ request, text }) => (request.path.endsWith('/content') ? { text: `x${text}` } : undefined),
  },
  'creates an object for each request': changeValues((key, value) =>
    key === 'id' && typeof value === 'string' ? `${value}${count++}` : value,
  ),
  'numbers events from one': {
    mutateResponse: ({ text }) => ({ text: text.replace(/^id: (\d+)$/gm, (_, id) => `id: ${Number(id) + 1}`) }),
  },
  'stores responses badly': { mutateResponse: breakStoredResponses },
  'lists the items of earlier responses': changeValues(
    (key, value) => (key === 'data' && Array.isArray(value) ? value.concat(value) : value),
    ({ request }) => request.path.endsWith('/input_items'),
  ),
  'keeps everything': {
    mutateRequest: ({ body }) => (body === undefined ? undefined : { body: { ...Object(body), store: true } }),
  },
};
