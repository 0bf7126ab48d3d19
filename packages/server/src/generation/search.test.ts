import { expect, test } from 'vitest';
import type { ServerOptions } from '../options/options.ts';
import type { WebSearch, WebSearchQuery, WebSearchResult } from '@modelwire/ports';
import { listen } from '../testing/listen.ts';
import { wordModeration } from '../testing/moderation-engine.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { citations } from '../streaming/transforms/citations.ts';

const pages: WebSearchResult[] = [
  { title: 'The Rhine', url: 'https://rivers.example/rhine', text: 'The Rhine is 1,233 km long.' },
  { title: 'A list', url: 'https://rivers.example/rhine/list', text: 'Rivers by length.' },
];

async function startServer(
  words: readonly string[],
  found: readonly WebSearchResult[] | Error = pages,
  options: Partial<ServerOptions> = {},
) {
  const queries: WebSearchQuery[] = [];
  const webSearch: WebSearch = {
    name: 'tests',
    search(query) {
      queries.push(query);
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    },
  };
  const engine = scriptedEngine(() => says(...words));
  return { ...(await listen({ engines: [engine], webSearch, ...options })), queries, engine };
}

const messages = [
  { role: 'user' as const, content: 'Hello' },
  { role: 'user' as const, content: 'How long\nis the Rhine?' },
];
const body = { model: 'scripted', messages, web_search_options: {} };

test('searches for the last user message, gives the results to the model, and adds citations to its text', async () => {
  const { client, queries, engine } = await startServer([
    'It is 1,233 km [1',
    '] long, see https://rivers.example/rhine/list.',
  ]);
  const { choices } = await client.chat.completions.create(body);
  expect(queries).toEqual([
    { query: 'How long is the Rhine?', results: 5, search_context_size: 'medium', location: undefined },
  ]);
  const [instruction, ...rest] = engine.asked[0]?.request.messages ?? [];
  expect(instruction).toMatchObject({
    role: 'system',
    content: expect.stringContaining('[1] The Rhine\nhttps://') as string,
  });
  expect(rest).toEqual(messages);
  expect(engine.asked[0]?.request).toMatchObject({ web_search_options: undefined, search_results: pages });
  const text = choices[0]?.message.content ?? '';
  const cited = choices[0]?.message.annotations?.map(({ type, url_citation: { start_index, end_index, ...page } }) => ({
    ...{ type, citedText: text.slice(start_index, end_index), ...page },
  }));
  expect(cited).toEqual([
    { type: 'url_citation', citedText: '[1]', title: 'The Rhine', url: pages[0]?.url },
    { type: 'url_citation', citedText: pages[1]?.url, title: 'A list', url: pages[1]?.url },
  ]);
});

test('in a stream, citations follow the text and precede the finish reason', async () => {
  const { client } = await startServer(['Long [1].']);
  const chunks = await Array.fromAsync(await client.chat.completions.create({ ...body, stream: true }));
  const streamed = chunks.map(({ choices }) => choices[0]);
  const index = streamed.findIndex((choice) => choice && 'annotations' in choice.delta);
  expect(streamed[index]?.delta).toMatchObject({ annotations: [{ url_citation: { start_index: 5, end_index: 8 } }] });
  expect(streamed[index + 1]?.finish_reason).toBe('stop');
});

test.each([
  ['low', 3, 500],
  ['medium', 5, 1500],
  ['high', 10, 4000],
] as const)('%s requests %i results of %i characters', async (search_context_size, results, characters) => {
  const many = Array.from({ length: 20 }, (_, at) => ({ ...pages[0]!, title: `${at}`, text: 'x'.repeat(9000) }));
  const { client, queries, engine } = await startServer(['Yes.'], many);
  await client.chat.completions.create({ ...body, web_search_options: { search_context_size } });
  expect(queries[0]).toMatchObject({ results, search_context_size });
  const sent = engine.asked[0]?.request.search_results ?? [];
  expect(sent.map(({ text }) => text.length)).toEqual(Array(results).fill(characters));
});

test('passes the location of the user with the query', async () => {
  const { client, queries } = await startServer(['Yes.']);
  const approximate = { country: 'DE', city: 'Köln', timezone: 'Europe/Berlin' };
  const web_search_options = { user_location: { type: 'approximate' as const, approximate } };
  await client.chat.completions.create({ ...body, web_search_options });
  expect(queries[0]?.location).toEqual(approximate);
});

test('drops results without a web URL, puts titles on one line, and tells the model if there are no results', async () => {
  const { client, engine } = await startServer(
    ['Hm [1] [2].'],
    [
      { title: 'x', url: 'javascript:alert(1)', text: '' },
      { title: ' A\n\nb ', url: 'http://a.example/', text: 'a' },
      { title: '', url: 'http://b.example/', text: 'b' },
    ],
  );
  const { choices } = await client.chat.completions.create(body);
  const titles = choices[0]?.message.annotations?.map(({ url_citation }) => url_citation.title);
  expect(titles).toEqual(['A b', 'b.example']);
  const noResults = await startServer(['No [1].'], []);
  const { choices: uncited } = await noResults.client.chat.completions.create(body);
  expect(uncited[0]?.message.annotations).toEqual([]);
  expect(noResults.engine.asked[0]?.request.messages[0]?.content).toContain('found nothing');
  expect(engine.asked).toHaveLength(1);
});

test('a failed search returns 502 without details, and does not call the model', async () => {
  const { post, engine } = await startServer(['Yes.'], new Error('secret host'));
  const response = await post(body);
  const text = await response.text();
  expect([response.status, JSON.parse(text)]).toMatchObject([502, { error: { code: 'web_search_failed' } }]);
  expect(text).not.toContain('secret');
  expect(engine.asked).toHaveLength(0);
});

test('returns 400 if there is nothing to search for, or no search is configured', async () => {
  const { post } = await startServer(['Yes.']);
  const withoutUser = await post({ ...body, messages: [{ role: 'system', content: 'Be brief.' }] });
  expect(await withoutUser.json()).toMatchObject({ error: { param: 'messages' } });
  const withoutSearch = await listen({ engines: [scriptedEngine(() => says('Yes.'))] });
  const refused = await withoutSearch.post(body);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'web_search_options', code: 'unsupported_parameter' } },
  ]);
});

test('positions of citations count characters', () => {
  const [citation] = citations('🌊🌊 [1]', pages);
  expect(citation?.url_citation).toMatchObject({ start_index: 3, end_index: 6 });
});

test('ignores numbers in brackets that do not match a result', () => {
  expect(citations('[0] [3] [x] [1.5] [123]', pages)).toEqual([]);
});

test('moderates citations', async () => {
  const harmful = [{ title: 'a bad page', url: 'https://pages.example/', text: 'Words.' }];
  const options = { moderationEngines: [wordModeration()], moderate: 'output' as const };
  const { client } = await startServer(['Long [1].'], harmful, options);
  const { choices } = await client.chat.completions.create(body);
  expect(choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '', annotations: [] } });
  const harmless = await startServer(['Long [1].'], pages, options);
  const { choices: moderated } = await harmless.client.chat.completions.create(body);
  expect(moderated[0]?.message.annotations).toHaveLength(1);
});

test('the usage that an engine reports for a request with results is theirs, too', async () => {
  const usage = { prompt_tokens: 12_000, completion_tokens: 1, total_tokens: 12_001 };
  const engine = scriptedEngine(() => [
    { type: 'text', choice: 0, text: 'Long.' },
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage },
  ]);
  const long = Array.from({ length: 10 }, (_, page) => ({
    title: `Page ${page}`,
    url: `https://rivers.example/${page}`,
    text: 'The Rhine. '.repeat(400),
  }));
  const webSearch: WebSearch = { name: 'tests', search: () => Promise.resolve(long) };
  const { client } = await listen({ engines: [engine], webSearch });
  const { usage: replied } = await client.chat.completions.create({
    ...body,
    web_search_options: { search_context_size: 'high' },
  });
  expect(replied?.prompt_tokens).toBe(12_000);
});
