import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { listAt, textAt, valueAt } from '../../exchange/value.ts';
import { createObject, newCompletion } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { listedIds, pagingChecks } from '../paging.ts';
import type { Query } from '../paging.ts';
import { assertConforms, Skip, successful } from '../../verdict.ts';

const LIST = 'chat.completions.list';
const { section } = contract[LIST];
const needs = ['chat.completions.create'] as const;
const COMPLETION_COUNT = 22;

/** Completions for more than a default page, created by this run; some services list them after a delay. */
function manyCompletions(context: RunContext): Promise<readonly string[]> {
  return context
    .createOnce('many completions', async () => {
      const ids: string[] = [];
      const one = async (index: number): Promise<string> =>
        newCompletion(context, {
          max_completion_tokens: 5,
          metadata: { conformance: `${context.runId}-many`, third: String(index % 3) },
        });
      for (let index = 0; index < COMPLETION_COUNT; index += 2)
        ids.push(...(await Promise.all([one(index), one(index + 1)])));
      await waitUntilListed(context, manyFilter(context), ids.length);
      return ids.join(' ');
    })
    .then((ids) => ids.split(' '));
}

const manyFilter = (context: RunContext): Query => [['metadata[conformance]', `${context.runId}-many`]];

const MAX_ATTEMPTS = 6;

/** Waits until this many are listed. */
async function waitUntilListed(context: RunContext, query: Query, count: number): Promise<void> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const response = await get(context, [...query, ['limit', '100']]);
    if (!isSuccess(response)) throw new Skip(`a list filtered by metadata returns ${response.status}`);
    if (listedIds(response).length >= count || attempts === MAX_ATTEMPTS) return;
    await context.pause(200 * attempts);
  }
}

const get = (context: RunContext, query: Query): Promise<CompleteResponse> =>
  context.send({ method: 'GET', path: '/chat/completions', query });

const list = (context: RunContext, query: Query): Promise<CompleteResponse> => successful(get(context, query));

/** Listing stored completions. */
export const storedListChecks: readonly Check[] = [
  ...pagingChecks({
    endpoint: LIST,
    needs,
    createItems: async (context) => ({ ids: await manyCompletions(context), query: manyFilter(context) }),
    hasOrder: true,
    defaultOrder: 'asc',
  }),
  check(LIST, 'limit.default', {
    title: 'The default page size is 20',
    section: 'Limits',
    needs,
    async run(context) {
      const ids = await manyCompletions(context);
      const response = await list(context, manyFilter(context));
      assertConforms(
        response,
        listedIds(response).length === 20,
        `A page of ${ids.length} has ${listedIds(response).length} items.`,
      );
    },
  }),
  check(LIST, 'filter.metadata', {
    title: 'metadata[key]=value returns exactly the completions with the pair',
    section,
    weight: 3,
    needs,
    async run(context) {
      const ids = await manyCompletions(context);
      const response = await list(context, [...manyFilter(context), ['limit', '100']]);
      const found = listedIds(response);
      const foreign = listAt(response.json, 'data').filter(
        (item) => textAt(item, 'metadata', 'conformance') !== `${context.runId}-many`,
      );
      assertConforms(response, foreign.length === 0, `${foreign.length} completions do not have the pair.`);
      assertConforms(
        response,
        ids.every((id) => found.includes(id)),
        `Of ${ids.length} completions with the pair, ${found.length} are listed.`,
      );
    },
  }),
  check(LIST, 'filter.metadata-two', {
    title: 'Two metadata pairs return the completions with both',
    section,
    needs,
    async run(context) {
      await manyCompletions(context);
      const response = await list(context, [...manyFilter(context), ['metadata[third]', '1'], ['limit', '100']]);
      const items = listAt(response.json, 'data');
      assertConforms(response, items.length > 0, 'None came.');
      assertConforms(
        response,
        items.every((item) => textAt(item, 'metadata', 'third') === '1'),
        'Some have another value.',
      );
    },
  }),
  check(LIST, 'filter.metadata-none', {
    title: 'A metadata pair without matches returns an empty list',
    section,
    needs,
    async run(context) {
      const response = await list(context, [['metadata[conformance]', `${context.runId}-none`]]);
      assertConforms(response, listedIds(response).length === 0, `${listedIds(response).length} came.`);
      assertConforms(response, valueAt(response.json, 'has_more') === false, 'has_more is not false.');
    },
  }),
  check(LIST, 'filter.model', {
    title: 'model filters by model',
    section,
    needs,
    async run(context) {
      const [first = ''] = await manyCompletions(context);
      const created = await context.send({
        method: 'GET',
        path: '/chat/completions',
        query: [...manyFilter(context), ['limit', '1']],
      });
      const model = textAt(created.json, 'data', 0, 'model') ?? (await context.chatModel());
      const response = await list(context, [...manyFilter(context), ['model', model], ['limit', '100']]);
      assertConforms(response, listedIds(response).includes(first), `None of ${model} came.`);
      const none = await list(context, [...manyFilter(context), ['model', `no-model-${context.runId}`]]);
      assertConforms(none, listedIds(none).length === 0, 'Completions of another model are included.');
    },
  }),
  check(LIST, 'only-stored', {
    title: 'A completion without store is not listed',
    section: 'Errors',
    weight: 3,
    needs,
    async run(context) {
      const id = await createObject(context, 'a completion', {
        method: 'POST',
        path: '/chat/completions',
        body: { model: await context.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }] },
      });
      const response = await list(context, [
        ['order', 'desc'],
        ['limit', '100'],
      ]);
      assertConforms(response, !listedIds(response).includes(id), 'It is listed.');
    },
  }),
  check(LIST, 'streamed', {
    title: 'A streamed completion is stored and listed too',
    section,
    needs,
    async run(context) {
      const pair = `${context.runId}-streamed`;
      const created = await context.send({
        method: 'POST',
        path: '/chat/completions',
        body: {
          model: await context.chatModel(),
          messages: [{ role: 'user', content: 'Say hello.' }],
          stream: true,
          store: true,
          metadata: { conformance: pair },
        },
      });
      assertConforms(created, isSuccess(created), `The stream request returns ${created.status}.`);
      await waitUntilListed(context, [['metadata[conformance]', pair]], 1);
      const response = await list(context, [['metadata[conformance]', pair]]);
      const id = /"id": ?"([^"]+)"/.exec(created.text)?.[1] ?? '';
      assertConforms(response, listedIds(response).join() === id, `It is listed ${listedIds(response).length} times.`);
    },
  }),
];
