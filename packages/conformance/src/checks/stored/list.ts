import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { succeeded } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { listAt, textAt, valueAt } from '../../exchange/value.ts';
import { make, newCompletion } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { idsOf, pagingChecks } from '../paging.ts';
import type { Query } from '../paging.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const LIST = 'chat.completions.list';
const { section } = contract[LIST];
const needs = ['chat.completions.create'] as const;
const MANY = 22;

/** Completions for more than a default page, created by this run; some services list them after a delay. */
function many(world: World): Promise<readonly string[]> {
  return world
    .made('many completions', async () => {
      const ids: string[] = [];
      const one = async (index: number): Promise<string> =>
        newCompletion(world, {
          max_completion_tokens: 5,
          metadata: { conformance: `${world.run}-many`, third: String(index % 3) },
        });
      for (let index = 0; index < MANY; index += 2) ids.push(...(await Promise.all([one(index), one(index + 1)])));
      await listed(world, ofMany(world), ids.length);
      return ids.join(' ');
    })
    .then((ids) => ids.split(' '));
}

const ofMany = (world: World): Query => [['metadata[conformance]', `${world.run}-many`]];

const TRIES = 6;

/** Waits until this many are listed. */
async function listed(world: World, query: Query, count: number): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const answer = await get(world, [...query, ['limit', '100']]);
    if (!succeeded(answer)) throw new Skip(`a list filtered by metadata returns ${answer.status}`);
    if (idsOf(answer).length >= count || tries === TRIES) return;
    await world.pause(200 * tries);
  }
}

const get = (world: World, query: Query): Promise<Answer> =>
  world.send({ method: 'GET', path: '/chat/completions', query });

async function listing(world: World, query: Query): Promise<Answer> {
  const answer = await get(world, query);
  assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
  return answer;
}

/** Listing stored completions. */
export const storedListChecks: readonly Check[] = [
  ...pagingChecks({
    endpoint: LIST,
    needs,
    known: async (world) => ({ ids: await many(world), query: ofMany(world) }),
    ordered: true,
    fallback: 'asc',
  }),
  check(LIST, 'limit.default', {
    title: 'The default page size is 20',
    section: 'Limits',
    needs,
    async run(world) {
      const ids = await many(world);
      const answer = await listing(world, ofMany(world));
      assertConforms(answer, idsOf(answer).length === 20, `A page of ${ids.length} has ${idsOf(answer).length} items.`);
    },
  }),
  check(LIST, 'filter.metadata', {
    title: 'metadata[key]=value returns exactly the completions with the pair',
    section,
    weight: 3,
    needs,
    async run(world) {
      const ids = await many(world);
      const answer = await listing(world, [...ofMany(world), ['limit', '100']]);
      const found = idsOf(answer);
      const strange = listAt(answer.json, 'data').filter((item) => textAt(item, 'metadata', 'conformance') !== `${world.run}-many`); // prettier-ignore
      assertConforms(answer, strange.length === 0, `${strange.length} completions do not have the pair.`);
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
      await many(world);
      const answer = await listing(world, [...ofMany(world), ['metadata[third]', '1'], ['limit', '100']]);
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
      const answer = await listing(world, [['metadata[conformance]', `${world.run}-none`]]);
      assertConforms(answer, idsOf(answer).length === 0, `${idsOf(answer).length} came.`);
      assertConforms(answer, valueAt(answer.json, 'has_more') === false, 'has_more is not false.');
    },
  }),
  check(LIST, 'filter.model', {
    title: 'model filters by model',
    section,
    needs,
    async run(world) {
      const [first = ''] = await many(world);
      const made = await world.send({
        method: 'GET',
        path: '/chat/completions',
        query: [...ofMany(world), ['limit', '1']],
      });
      const model = textAt(made.json, 'data', 0, 'model') ?? (await world.chatModel());
      const answer = await listing(world, [...ofMany(world), ['model', model], ['limit', '100']]);
      assertConforms(answer, idsOf(answer).includes(first), `None of ${model} came.`);
      const none = await listing(world, [...ofMany(world), ['model', `no-model-${world.run}`]]);
      assertConforms(none, idsOf(none).length === 0, 'Completions of another model are included.');
    },
  }),
  check(LIST, 'only-stored', {
    title: 'A completion without store is not listed',
    section: 'Errors',
    weight: 3,
    needs,
    async run(world) {
      const id = await make(world, 'a completion', {
        method: 'POST',
        path: '/chat/completions',
        body: { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }] },
      });
      const answer = await listing(world, [['order', 'desc'], ['limit', '100']]); // prettier-ignore
      assertConforms(answer, !idsOf(answer).includes(id), 'It is listed.');
    },
  }),
  check(LIST, 'streamed', {
    title: 'A streamed completion is stored and listed too',
    section,
    needs,
    async run(world) {
      const pair = `${world.run}-streamed`;
      const made = await world.send({
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
      assertConforms(made, succeeded(made), `The stream request returns ${made.status}.`);
      await listed(world, [['metadata[conformance]', pair]], 1);
      const answer = await listing(world, [['metadata[conformance]', pair]]);
      const id = /"id": ?"([^"]+)"/.exec(made.text)?.[1] ?? '';
      assertConforms(answer, idsOf(answer).join() === id, `It is listed ${idsOf(answer).length} times.`);
    },
  }),
];
