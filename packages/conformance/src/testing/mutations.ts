import { valueAt } from '../exchange/value.ts';
import { withHeader, mapJson, replaceObjects, otherTypes, withoutHeaders } from './mutate.ts';
import type { ProxiedResponse, Change, Mutation } from './mutate.ts';

const isError = ({ status }: Pick<ProxiedResponse, 'status'>): boolean => status >= 400;
const makes = ({ asked }: ProxiedResponse): boolean => asked.method === 'POST' && !asked.path.includes('/', 1);
const creates = ({ asked }: ProxiedResponse): boolean =>
  ['/chat/completions', '/responses', '/conversations'].includes(asked.path) && asked.method === 'POST';

/** Response fields that the run needs to continue. */
const KEPT: ReadonlySet<string> = new Set(['id', 'object', 'data', 'has_more', 'status', 'file', 'output_file_id']);
/** Response fields that polling needs to end. */
const ENDS: ReadonlySet<string> = new Set(['status']);

const changes = (change: Change, of: (answered: ProxiedResponse) => boolean = () => true): Mutation => ({
  say: (answered) => (isError(answered) || !of(answered) ? undefined : { text: mapJson(answered.text, change) }),
});

const deaf = (...names: readonly string[]): Mutation => ({
  hear: ({ query }) => {
    const rest = new URLSearchParams(query);
    for (const name of names) for (const key of [...rest.keys()]) if (key.startsWith(name)) rest.delete(key);
    return { query: rest };
  },
});

let count = 0;

/** Faults of stored responses. Each concerns other checks than the rest. */
function storesBadly({
  asked: { path, method, query, body },
  status,
  text,
  headers,
}: ProxiedResponse): Partial<ProxiedResponse> | undefined {
  if (method === 'POST' && path === '/responses') {
    const streamsErrors = status >= 400 && text !== '' && valueAt(body, 'stream') === true;
    if (streamsErrors) return { status: 200, headers: withHeader(headers, 'content-type', 'text/event-stream') };
    return /"(?:previous_response_id":"|type":"item_reference)/.test(JSON.stringify(body)) ? { status: 500, text: '{}' } : undefined; // prettier-ignore
  }
  if (status >= 400) return undefined;
  if (path.endsWith('/cancel'))
    return { text: mapJson(text, (key, value) => (key === 'status' ? 'in_progress' : value)) };
  if (path.endsWith('/input_items') && !query.has('order') && !query.has('limit')) {
    return {
      text: mapJson(text, (key, value) => (key === 'data' && Array.isArray(value) ? value.toReversed() : value)),
    };
  }
  if (/^\/conversations\/[^/]+\/items$/.test(path)) return { text: mapJson(text, (key, value) => (key === 'id' ? 'msg_other' : value)) }; // prettier-ignore
  return method === 'GET' && /^\/responses\/[^/]+$/.test(path)
    ? { text: mapJson(text, (key, value) => (key === 'text' && typeof value === 'string' ? 'other' : value)) }
    : undefined;
}

/** Servers with one general fault each. Together they make every check fail at least once. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'accepts everything': { say: (answered) => (isError(answered) ? { status: 200, text: '{"id":"x"}' } : undefined) },
  'has another error shape': { say: (answered) => (isError(answered) ? { text: '{"detail":"wrong"}' } : undefined) },
  'fails when it should succeed': {
    say: (answered) =>
      answered.status === 200 && answered.asked.path !== '/models' ? { status: 500, text: '{}' } : undefined,
  },
  'fails after the start': {
    say: (answered) =>
      isError(answered) || makes(answered) || /parts$/.test(answered.asked.path)
        ? undefined
        : { status: 500, text: '{}' },
  },
  'cannot list models or accept batches and parts': {
    say: ({ asked: { path, method } }) => (path === '/models' || (method === 'POST' && /^\/batches$|parts$|remix$/.test(path)) || /content$/.test(path) ? { status: 500, text: '{}' } : undefined), // prettier-ignore
  },
  'serves nothing': { say: ({ asked: { path } }) => ({ status: 404, text: `no ${path}` }) },
  'has other types': { say: (answered) => (isError(answered) ? undefined : { text: otherTypes(answered.text, KEPT) }) },
  'has other types where nothing is created': {
    say: (answered) => (isError(answered) || makes(answered) ? undefined : { text: otherTypes(answered.text, ENDS) }),
  },
  'has other forms': {
    say: (answered) => (isError(answered) ? undefined : { text: replaceObjects(answered.text, KEPT) }),
  },
  'has other ids': changes((key, value) => (['id', 'object', 'status', 'has_more'].includes(key) ? 7 : value), makes),
  'names nothing': {
    say: ({ headers, status }) => ({ headers: withoutHeaders(headers, ...(status < 400 ? ['content-type', 'x-request-id'] : ['x-request-id'])) }), // prettier-ignore
  },
  'has the same name for all': {
    say: (answered) => ({
      headers: withHeader(answered.headers, 'x-request-id', 'req_1'),
      ...(creates(answered) || /parts$|moderations$/.test(answered.asked.path) ? { text: mapJson(answered.text, (key, value) => (key === 'id' ? 'one' : value)) } : {}), // prettier-ignore
    }),
  },
  'has other objects': changes((key, value) => (key === 'object' ? 'thing' : value)),
  'returns content for missing objects': changes((key, value) => value ?? (key === 'after' ? value : { odd: 7 })),
  'has pages of a hundred': { hear: ({ query, path, method }) => (query.has('limit') || method !== 'GET' || path !== '/chat/completions' ? undefined : { query: new URLSearchParams([...query, ['limit', '100']]) }) }, // prettier-ignore
  'ignores limit': deaf('limit'),
  'ignores filters': deaf('metadata', 'model', 'purpose'),
  'changes every text': changes((key, value) => (['content', 'text', 'arguments', 'input', 'token', 'filename', 'model', 'role'].includes(key) ? 'other' : value)), // prettier-ignore
  'sends other bytes': {
    say: ({ asked, text }) => (asked.path.endsWith('/content') ? { text: `x${text}` } : undefined),
  },
  'creates an object for each request': changes((key, value) =>
    key === 'id' && typeof value === 'string' ? `${value}${count++}` : value,
  ),
  'stores responses badly': { say: storesBadly },
  'lists the items of earlier responses': changes(
    (key, value) => (key === 'data' && Array.isArray(value) ? value.concat(value) : value),
    ({ asked }) => asked.path.endsWith('/input_items'),
  ),
  'keeps everything': {
    hear: ({ body }) => (body === undefined ? undefined : { body: { ...Object(body), store: true } }),
  },
};
