import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { hasKey, textAt, valueAt } from '../../exchange/value.ts';
import { createdId, newCompletion, unstoredCompletion } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertErrorShape } from '../shape.ts';
import { assertConforms, assertSuccess, Skip } from '../../verdict.ts';

const RETRIEVE = 'chat.completions.retrieve';
const UPDATE = 'chat.completions.update';
const DELETE = 'chat.completions.delete';
const { section } = contract[UPDATE];
const needs = ['chat.completions.create'] as const;

const PARAMETERS = { seed: 3, top_p: 0.9, temperature: 0.5, presence_penalty: 0.25, frequency_penalty: 0.5 };

const read = (world: World, id: string): Promise<Answer> =>
  world.send({ method: 'GET', path: `/chat/completions/${id}` });

const update = (world: World, id: string, body: unknown): Promise<Answer> =>
  world.send({ method: 'POST', path: `/chat/completions/${id}`, body });

const hasMetadata = (answer: Answer, expected: Readonly<Record<string, string>>): boolean => {
  const actual = valueAt(answer.json, 'metadata');
  const keys = typeof actual === 'object' && actual !== null ? Object.keys(actual) : [];
  return keys.length === Object.keys(expected).length && keys.every((key) => valueAt(actual, key) === expected[key]);
};

/** A completion that is created with parameters and retrieved. */
async function createAndRetrieve(world: World): Promise<{ readonly created: Answer; readonly retrieved: Answer }> {
  const created = await world.sendOnce('a completion with parameters', async () => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }], store: true, ...PARAMETERS, metadata: { conformance: world.runId } }, // prettier-ignore
  }));
  const id = createdId(created, 'a stored completion');
  const retrieved = await world.sendOnce('a completion with parameters, read', () => ({ method: 'GET', path: `/chat/completions/${id}` })); // prettier-ignore
  assertSuccess(retrieved);
  return { created, retrieved };
}

/** A check of one field of a stored completion. */
const storedFieldCheck = (field: string, description: string, verify: (retrieved: Answer) => void): Check =>
  check(RETRIEVE, `kept.${field}`, {
    title: `A stored completion has ${description}`,
    section: 'Chat completion object',
    certainty: 'likely',
    weight: 1,
    needs,
    run: async (world) => verify((await createAndRetrieve(world)).retrieved),
  });

const tooManyPairs = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
const largestMetadata: Readonly<Record<string, string>> = {
  ['k'.repeat(64)]: 'v'.repeat(512),
  ...Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${index}`, 'v'])),
};

/** A stored completion: retrieve, update and delete. */
export const storedObjectChecks: readonly Check[] = [
  check(RETRIEVE, 'same', {
    title: 'A retrieved completion equals the created one',
    section: 'companion',
    certainty: 'likely',
    weight: 3,
    needs,
    async run(world) {
      const { created, retrieved } = await createAndRetrieve(world);
      for (const field of ['id', 'object', 'created', 'model']) {
        assertConforms(
          retrieved,
          valueAt(retrieved.json, field) === valueAt(created.json, field),
          `Its ${field} is another.`,
        );
      }
      const content = (answer: Answer): unknown => valueAt(answer.json, 'choices', 0, 'message', 'content');
      assertConforms(retrieved, content(retrieved) === content(created), 'It differs.');
    },
  }),
  ...Object.entries(PARAMETERS).map(([field, value]) =>
    storedFieldCheck(field, `the ${field} of its request`, (retrieved) => {
      const actual = valueAt(retrieved.json, field);
      assertConforms(retrieved, actual === value, `Its ${field} is ${String(actual)} instead of ${value}.`);
    }),
  ),
  ...['request_id', 'tool_choice', 'tools', 'input_user', 'response_format'].map((field) =>
    storedFieldCheck(field, field, (retrieved) =>
      assertConforms(retrieved, hasKey(retrieved.json, field), `${field} is missing.`),
    ),
  ),
  check(RETRIEVE, 'kept.metadata', {
    title: 'A stored completion has its metadata',
    section: 'Chat completion object',
    needs,
    async run(world) {
      const { retrieved } = await createAndRetrieve(world);
      assertConforms(retrieved, hasMetadata(retrieved, { conformance: world.runId }), 'Its metadata differs.');
    },
  }),
  check(RETRIEVE, 'not-stored', {
    title: 'A completion without store does not exist',
    section: 'Errors',
    weight: 3,
    needs,
    async run(world) {
      const answer = await read(world, await unstoredCompletion(world));
      assertConforms(answer, answer.status === 404, `The response has status ${answer.status} instead of 404.`);
      assertErrorShape(answer);
    },
  }),
  check(UPDATE, 'replaces', {
    title: 'Updating replaces the metadata, in the response and later',
    section,
    weight: 3,
    needs,
    async run(world) {
      const id = await newCompletion(world, { metadata: { conformance: world.runId, old: '1' } });
      const expected = { conformance: world.runId, new: '2' };
      const answer = await update(world, id, { metadata: expected });
      assertSuccess(answer);
      assertConforms(answer, textAt(answer.json, 'id') === id, 'The response is another completion.');
      assertConforms(answer, hasMetadata(answer, expected), 'The response does not have the new metadata.');
      const retrieved = await read(world, id);
      if (retrieved.status === 404 && !(await world.probe(RETRIEVE)).served) return;
      assertConforms(
        retrieved,
        hasMetadata(retrieved, expected),
        'The retrieved completion does not have the new metadata.',
      );
    },
  }),
  check(UPDATE, 'refilters', {
    title: 'An updated completion is found by its new metadata and not by the old',
    section: 'List chat completions',
    needs: [...needs, 'chat.completions.list'],
    async run(world) {
      const [previous, updated] = [`${world.runId}-old`, `${world.runId}-fresh`];
      const id = await newCompletion(world, { metadata: { conformance: previous } });
      await update(world, id, { metadata: { conformance: updated } });
      const find = (value: string): Promise<Answer> =>
        world.send({ method: 'GET', path: '/chat/completions', query: [['metadata[conformance]', value]] });
      const [before, after] = [await find(previous), await find(updated)];
      assertConforms(after, after.text.includes(id), 'It is not found by the new pair.');
      assertConforms(before, isSuccess(before) && !before.text.includes(id), 'It is still found by the old pair.');
    },
  }),
  check(UPDATE, 'most', {
    title: 'Accepts 16 pairs of metadata, keys of 64 and values of 512 characters',
    section: 'Limits',
    needs,
    async run(world) {
      const id = await newCompletion(world);
      const answer = await update(world, id, { metadata: largestMetadata });
      assertConforms(
        answer,
        isSuccess(answer) && hasMetadata(answer, largestMetadata),
        `The response has status ${answer.status}.`,
      );
    },
  }),
  ...(
    [
      ['pairs', 'Rejects more than 16 pairs of metadata', tooManyPairs],
      ['key', 'Rejects a metadata key of 65 characters', { ['k'.repeat(65)]: 'v' }],
      ['value', 'Rejects a metadata value of 513 characters', { k: 'v'.repeat(513) }],
      ['number', 'Rejects a metadata value that is not a string', { k: 1 }],
    ] as const
  ).flatMap(([name, title, metadata]) =>
    rejectionChecks(UPDATE, `refuses.${name}`, {
      title,
      section: 'Limits',
      field: 'metadata',
      needs,
      call: async (world) => ({ method: 'POST', path: `/chat/completions/${await newCompletion(world)}`, body: { metadata } }), // prettier-ignore
    }),
  ),
  ...rejectionChecks(UPDATE, 'refuses.others', {
    title: 'Rejects updates of fields other than metadata',
    section,
    field: 'model',
    needs,
    call: async (world) => ({ method: 'POST', path: `/chat/completions/${await newCompletion(world)}`, body: { metadata: {}, model: 'another' } }), // prettier-ignore
  }),
  check(UPDATE, 'not-stored', {
    title: 'A completion without store cannot be updated',
    section: 'Errors',
    needs,
    async run(world) {
      const answer = await update(world, await unstoredCompletion(world), { metadata: {} });
      assertConforms(
        answer,
        answer.status === 404 || answer.status === 400,
        `The response has status ${answer.status}.`,
      );
      assertErrorShape(answer);
    },
  }),
  check(DELETE, 'gone', {
    title: 'A deleted completion is gone',
    section: 'companion',
    certainty: 'likely',
    weight: 3,
    needs,
    async run(world) {
      const id = await newCompletion(world);
      const answer = await world.send({ method: 'DELETE', path: `/chat/completions/${id}` });
      assertSuccess(answer);
      assertConforms(answer, valueAt(answer.json, 'deleted') === true && textAt(answer.json, 'id') === id, 'The response does not confirm the deletion.'); // prettier-ignore
      const repeated = await world.send({ method: 'GET', path: `/chat/completions/${id}/messages` });
      const retrieved = await read(world, id);
      if (retrieved.status !== 404) assertConforms(retrieved, false, `Retrieving it returns ${retrieved.status}.`);
      if (repeated.status === 501) throw new Skip('its messages cannot be listed');
      assertConforms(repeated, repeated.status === 404, `Its messages return ${repeated.status}.`);
    },
  }),
];
