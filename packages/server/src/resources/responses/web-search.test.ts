import type { WebSearch, WebSearchQuery } from '@modelwire/ports';
import type { ResponseObject } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { listen } from '../../testing/listen.ts';
import { eventsOf, finish, postResponse, refusalOf, toolCall, toolInput, withTools } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const page = { title: 'The Rhine', url: 'https://rivers.example/rhine', text: 'The Rhine is 1,233 km long.' };
const ask = { model: 'scripted', input: 'How long is the Rhine?', tools: [{ type: 'web_search' }] };

function countingSearch() {
  const queries: WebSearchQuery[] = [];
  const webSearch: WebSearch = {
    name: 'tests',
    search(query) {
      queries.push(query);
      return Promise.resolve([page]);
    },
  };
  return { queries, webSearch };
}

async function searching(...words: readonly string[]) {
  const { queries, webSearch } = countingSearch();
  const engine = scriptedEngine(() => says(...words), withTools);
  return { ...(await listen({ engines: [engine], webSearch })), queries, engine };
}

test('a web search is an output item, and the text cites its results', async () => {
  const { url, queries } = await searching('It is 1,233 km long [1].');
  const body = { ...ask, include: ['web_search_call.action.sources'] };
  const response = await postResponse(url, body);
  expect(response.headers.has('x-modelwire-unsupported-tools')).toBe(false);
  expect(await response.json()).toMatchObject({
    tools: [{ type: 'web_search' }],
    output: [
      {
        type: 'web_search_call',
        id: expect.stringMatching(/^ws_/) as string,
        status: 'completed',
        action: { type: 'search', query: ask.input, sources: [{ type: 'url', url: page.url }] },
      },
      {
        type: 'message',
        content: [
          { annotations: [{ type: 'url_citation', start_index: 20, end_index: 23, url: page.url, title: page.title }] },
        ],
      },
    ],
  });
  expect(queries).toMatchObject([{ query: ask.input, search_context_size: 'medium' }]);
});

test('a stream has the search, then the message with its annotation between text and end', async () => {
  const { url } = await searching('Long [1].');
  const types = (await eventsOf(await postResponse(url, { ...ask, stream: true }))).map(({ type }) => type);
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.web_search_call.in_progress',
    'response.web_search_call.searching',
    'response.web_search_call.completed',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.annotation.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
});

test('context size and location reach the search; there is none for tool_choice none or after the output of a tool', async () => {
  const { url, queries } = await searching('Yes.');
  const user_location = { type: 'approximate', city: 'Berlin', country: 'DE', region: null, timezone: null };
  const tools = [{ type: 'web_search_preview', search_context_size: 'low', user_location }];
  await postResponse(url, { ...ask, tools, tool_choice: { type: 'web_search_preview' } });
  expect(queries).toMatchObject([{ search_context_size: 'low', location: { city: 'Berlin', country: 'DE' } }]);
  await postResponse(url, { ...ask, tool_choice: 'none' });
  const input = [
    { role: 'user', content: ask.input },
    { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'nothing' },
  ];
  expect((await postResponse(url, { ...ask, input })).status).toBe(200);
  expect(queries).toHaveLength(1);
});

test('returns 400 for filters, which the search does not support; without a search the tool is omitted', async () => {
  const { url } = await searching('Yes.');
  const tools = [{ type: 'web_search', filters: { allowed_domains: ['example.com'] } }];
  const refusal = await refusalOf(await postResponse(url, { ...ask, tools }));
  expect(refusal).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'tools[0].filters' });
  const without = await listen({ engines: [scriptedEngine(() => says('Yes.'))] });
  const response = await postResponse(without.url, ask);
  expect([response.status, response.headers.get('x-modelwire-unsupported-tools')]).toEqual([200, 'web_search']);
  const forced = await refusalOf(await postResponse(without.url, { ...ask, tool_choice: { type: 'web_search' } }));
  expect(forced).toMatchObject({ status: 400, param: 'tool_choice' });
});

test('max_tool_calls limits the searches of the server and not the calls of functions', async () => {
  const { queries, webSearch } = countingSearch();
  const calls = () => [
    toolCall(0, 'look'),
    toolInput(0, '{}'),
    toolCall(1, 'look'),
    toolInput(1, '{}'),
    finish('tool_calls'),
  ];
  const { url } = await listen({ engines: [scriptedEngine(calls, withTools)], webSearch });
  const tools = [...ask.tools, { type: 'function', name: 'look', parameters: {} }];
  const response = await postResponse(url, { ...ask, tools, max_tool_calls: 1 });
  const { output, max_tool_calls } = (await response.json()) as ResponseObject;
  expect(output.map(({ type }) => type)).toEqual(['web_search_call', 'function_call', 'function_call']);
  expect([max_tool_calls, queries.length]).toEqual([1, 1]);
  const refusal = await refusalOf(await postResponse(url, { ...ask, tools, max_tool_calls: 0 }));
  expect(refusal).toMatchObject({ status: 400, param: 'max_tool_calls', code: 'integer_below_min_value' });
});

test('a response searches once, however often its input is shortened to fit the context', async () => {
  const { queries, webSearch } = countingSearch();
  const engine = scriptedEngine(({ messages }) => {
    if (messages.length > 3) throw new RequestError('too long', { status: 400, code: 'context_length_exceeded' });
    return says('Yes.');
  });
  const { url } = await listen({ engines: [engine], webSearch });
  const input = ['One', 'Two', 'Three', 'Four', 'Five', ask.input].map((content) => ({ role: 'user', content }));
  const response = await postResponse(url, { ...ask, input, truncation: 'auto', max_tool_calls: 1 });
  expect(response.status).toBe(200);
  expect(engine.asked.length).toBeGreaterThan(1);
  expect(queries).toHaveLength(1);
});
