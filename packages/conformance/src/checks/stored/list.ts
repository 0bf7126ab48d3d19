import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { listAt, textAt, valueAt } from '../../exchange/value.ts';
import { createObject, newCompletion } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { listedIds, pagingChecks } from '../paging.ts';
import type { Query } from '../paging.ts';
import { assertConforms, assertSuccess, Skip } from '../../verdict.ts';

const LIST = 'chat.completions.list';
const { section } = contract[LIST];
const needs = ['chat.completions.create'] as const;
const COMPLETION_COUNT = 22;

/** Completions for more than a default page, created by this run; some services list them after a delay. */
function manyCompletions(world: World): Promise<readonly string[]> {
  return world
    .createOnce('many completions', async () => {
      const ids: string[] = [];
      const one = async (index: number): Promise<string> =>
        newCompletion(world, {
          max_completion_tokens: 5,
          metadata: { conformance: `${world.runId}-many`, third: String(index % 3) },
        });
      for (let index = 0; index < COMPLETION_COUNT; index += 2)
        ids.push(...(await Promise.all([one(index), one(index + 1)])));
      await waitUntilListed(world, manyFilter(world), ids.length);
      return ids.join(' ');
    })
    .then((ids) => ids.split(' '));
}

const manyFilter = (world: World): Query => [['metadata[conformance]', `${world.runId}-many`]];

const MAX_ATTEMPTS = 6;

/** Waits until this many are listed. */
async function waitUntilListed(world: World, query: Query, count: number): Promise<void> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const answer = await get(world, [...query, ['limit', '100']]);
    if (!isSuccess(answer)) throw new Skip(`a list filtered by metadata returns ${answer.status}`);
    if (listedIds(answer).length >= count || attempts === MAX_ATTEMPTS) return;
    await world.pause(200 * attempts);
  }
}

const get = (world: World, query: Query): Promise<Answer> =>
  world.send({ method: 'GET', path: '/chat/completions', query });

async function list(world: World, query: Query): Promise<Answer> {
  const answer = await get(world, query);
  assertSuccess(answer);
  return answer;
}

/** Listing stored completions. */
export const storedListChecks: readonly Check[] = [
  ...pagingChecks({
    endpoint: LIST,
    needs,
    createItems: async (world) => ({ ids: await manyCompletions(world), query: manyFilter(world) }),
    hasOrder: true,
    defaultOrder: 'asc',
  }),
  check(LIST, 'limit.default', {
    title: 'The default page size is 20',
    section: 'Limits',
    needs,
    async run(world) {
      const ids = await manyCompletions(world);
      const answer = await list(world, manyFilter(world));
      assertConforms(
        answer,
        listedIds(answer).length === 20,
        `A page of ${ids.length} has ${listedIds(answer).length} items.`,
      );
    },
  }),
  check(LIST, 'filter.metadata', {
    title: 'metadata[key]=value returns exactly the completions with the pair',
    section,
    weight: 3,
    needs,
    async run(world) {
      const ids = await manyCompletions(world);
      const answer = await list(world, [...manyFilter(world), ['limit', '100']]);
      const found = listedIds(answer);
      const foreign = listAt(answer.json, 'data').filter((item) => textAt(item, 'metadata', 'conformance') !== `${world.runId}-many`); // prettier-ignore
      assertConforms(answer, foreign.length === 0, `${foreign.length} completions do not have the pair.`);
      assertConforms(
        answer,
        ids.every((id) => found.includes(id)),
        `Of ${ids.length} completions with the pair, ${found.length} are listed.`,
      );
    },
  }),
  check(LIST, 'filter.metadata-two', {
    title: 'Two metadata pairs return the completions with both',
    section,
    needs,
    async run(world) {
      await manyCompletions(world);
      const answer = await list(world, [...manyFilter(world), ['metadata[third]', '1'], ['limit', '100']]);
      const items = listAt(answer.json, 'data');
      assertConforms(answer, items.length > 0, 'None came.');
      assertConforms(
        answer,
        items.every((item) => textAt(item, 'metadata', 'third') === '1'),
        'Some have another value.',
      );
    },
  }),
  check(LIST, 'filter.metadata-none', {
    title: 'A metadata pair without matches returns an empty list',
    section,
    needs,
    async run(world) {
      const answer = await list(world, [['metadata[conformance]', `${world.runId}-none`]]);
      assertConforms(answer, listedIds(answer).length === 0, `${listedIds(answer).length} came.`);
      assertConforms(answer, valueAt(answer.json, 'has_more') === false, 'has_more is not false.');
    },
  }),
  check(LIST, 'filter.model', {
    title: 'model filters by model',
    section,
    needs,
    async run(world) {
      const [first = ''] = await manyCompletions(world);
      const created = await world.send({
        method: 'GET',
        path: '/chat/completions',
        query: [...manyFilter(world), ['limit', '1']],
      });
      const model = textAt(created.json, 'data', 0, 'model') ?? (await world.chatModel());
      const answer = await list(world, [...manyFilter(world), ['model', model], ['limit', '100']]);
      assertConforms(answer, listedIds(answer).includes(first), `None of ${model} came.`);
      const none = await list(world, [...manyFilter(world), ['model', `no-model-${world.runId}`]]);
      assertConforms(none, listedIds(none).length === 0, 'Completions of another model are included.');
    },
  }),
  check(LIST, 'only-stored', {
    title: 'A completion without store is not listed',
    section: 'Errors',
    weight: 3,
    needs,
    async run(world) {
      const id = await createObject(world, 'a completion', {
        method: 'POST',
        path: '/chat/completions',
        body: { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }] },
      });
      const answer = await list(world, [['order', 'desc'], ['limit', '100']]); // prettier-ignore
      assertConforms(answer, !listedIds(answer).includes(id), 'It is listed.');
    },
  }),
  check(LIST, 'streamed', {
    title: 'A streamed completion is stored and listed too',
    section,
    needs,
    async run(world) {
      const pair = `${world.runId}-streamed`;
      const created = await world.send({
        method: 'POST',
        path: '/chat/completions',
        body: {
          model: await world.chatModel(),
          messages: [{ role: 'user', content: 'Say hello.' }],
          stream: true,
          store: true,
          metadata: { conformance: pair },
        },
      });
      assertConforms(created, isSuccess(created), `The stream request returns ${created.status}.`);
      await waitUntilListed(world, [['metadata[conformance]', pair]], 1);
      const answer = await list(world, [['metadata[conformance]', pair]]);
      const id = /"id": ?"([^"]+)"/.exec(created.text)?.[1] ?? '';
      assertConforms(answer, listedIds(answer).join() === id, `It is listed ${listedIds(answer).length} times.`);
    },
  }),
];
