import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { fieldsOf, hasKey, valueAt } from '../../exchange/value.ts';
import { createdId, newCompletion, unstoredCompletion } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertErrorShape } from '../shape.ts';
import { assertConforms, assertFields, assertStatus, assertSuccess, Skip } from '../../verdict.ts';

const RETRIEVE = 'chat.completions.retrieve';
const UPDATE = 'chat.completions.update';
const DELETE = 'chat.completions.delete';
const { section } = contract[UPDATE];
const needs = ['chat.completions.create'] as const;

const PARAMETERS = { seed: 3, top_p: 0.9, temperature: 0.5, presence_penalty: 0.25, frequency_penalty: 0.5 };

const read = (context: RunContext, id: string): Promise<CompleteResponse> =>
  context.send({ method: 'GET', path: `/chat/completions/${id}` });

const update = (context: RunContext, id: string, body: unknown): Promise<CompleteResponse> =>
  context.send({ method: 'POST', path: `/chat/completions/${id}`, body });

const hasMetadata = (response: CompleteResponse, expected: Readonly<Record<string, string>>): boolean => {
  const actual = valueAt(response.json, 'metadata');
  const keys = typeof actual === 'object' && actual !== null ? Object.keys(actual) : [];
  return keys.length === Object.keys(expected).length && keys.every((key) => valueAt(actual, key) === expected[key]);
};

/** A completion that is created with parameters and retrieved. */
async function createAndRetrieve(
  context: RunContext,
): Promise<{ readonly created: CompleteResponse; readonly retrieved: CompleteResponse }> {
  const created = await context.sendOnce('a completion with parameters', async () => ({
    method: 'POST',
    path: '/chat/completions',
    body: {
      model: await context.chatModel(),
      messages: [{ role: 'user', content: 'Say hello.' }],
      store: true,
      ...PARAMETERS,
      metadata: { conformance: context.runId },
    },
  }));
  const id = createdId(created, 'a stored completion');
  const retrieved = await context.sendOnce('a completion with parameters, read', () => ({
    method: 'GET',
    path: `/chat/completions/${id}`,
  }));
  assertSuccess(retrieved);
  return { created, retrieved };
}

/** A check of one field of a stored completion. */
const storedFieldCheck = (field: string, description: string, verify: (retrieved: CompleteResponse) => void): Check =>
  check(RETRIEVE, `kept.${field}`, {
    title: `A stored completion has ${description}`,
    section: 'Chat completion object',
    certainty: 'likely',
    weight: 1,
    needs,
    run: async (context) => verify((await createAndRetrieve(context)).retrieved),
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
    async run(context) {
      const { created, retrieved } = await createAndRetrieve(context);
      const { id, object, created: createdAt, model } = fieldsOf(created.json);
      assertFields(retrieved, { id, object, created: createdAt, model });
      const content = (response: CompleteResponse): unknown =>
        valueAt(response.json, 'choices', 0, 'message', 'content');
      assertConforms(retrieved, content(retrieved) === content(created), 'It differs.');
    },
  }),
  ...Object.entries(PARAMETERS).map(([field, value]) =>
    storedFieldCheck(field, `the ${field} of its request`, (retrieved) => {
      assertFields(retrieved, { [field]: value });
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
    async run(context) {
      const { retrieved } = await createAndRetrieve(context);
      assertConforms(retrieved, hasMetadata(retrieved, { conformance: context.runId }), 'Its metadata differs.');
    },
  }),
  check(RETRIEVE, 'not-stored', {
    title: 'A completion without store does not exist',
    section: 'Errors',
    weight: 3,
    needs,
    async run(context) {
      const response = await read(context, await unstoredCompletion(context));
      assertStatus(response, 404);
      assertErrorShape(response);
    },
  }),
  check(UPDATE, 'replaces', {
    title: 'Updating replaces the metadata, in the response and later',
    section,
    weight: 3,
    needs,
    async run(context) {
      const id = await newCompletion(context, { metadata: { conformance: context.runId, old: '1' } });
      const expected = { conformance: context.runId, new: '2' };
      const response = await update(context, id, { metadata: expected });
      assertSuccess(response);
      assertFields(response, { id });
      assertConforms(response, hasMetadata(response, expected), 'The response does not have the new metadata.');
      const retrieved = await read(context, id);
      if (retrieved.status === 404 && !(await context.probe(RETRIEVE)).served) return;
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
    async run(context) {
      const [previous, updated] = [`${context.runId}-old`, `${context.runId}-fresh`];
      const id = await newCompletion(context, { metadata: { conformance: previous } });
      await update(context, id, { metadata: { conformance: updated } });
      const find = (value: string): Promise<CompleteResponse> =>
        context.send({ method: 'GET', path: '/chat/completions', query: [['metadata[conformance]', value]] });
      const [before, after] = [await find(previous), await find(updated)];
      assertConforms(after, after.text.includes(id), 'It is not found by the new pair.');
      assertConforms(before, isSuccess(before) && !before.text.includes(id), 'It is still found by the old pair.');
    },
  }),
  check(UPDATE, 'most', {
    title: 'Accepts 16 pairs of metadata, keys of 64 and values of 512 characters',
    section: 'Limits',
    needs,
    async run(context) {
      const id = await newCompletion(context);
      const response = await update(context, id, { metadata: largestMetadata });
      assertConforms(
        response,
        isSuccess(response) && hasMetadata(response, largestMetadata),
        `The response has status ${response.status}.`,
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
      call: async (context) => ({
        method: 'POST',
        path: `/chat/completions/${await newCompletion(context)}`,
        body: { metadata },
      }),
    }),
  ),
  ...rejectionChecks(UPDATE, 'refuses.others', {
    title: 'Rejects updates of fields other than metadata',
    section,
    field: 'model',
    needs,
    call: async (context) => ({
      method: 'POST',
      path: `/chat/completions/${await newCompletion(context)}`,
      body: { metadata: {}, model: 'another' },
    }),
  }),
  check(UPDATE, 'not-stored', {
    title: 'A completion without store cannot be updated',
    section: 'Errors',
    needs,
    async run(context) {
      const response = await update(context, await unstoredCompletion(context), { metadata: {} });
      assertStatus(response, 404, 400);
      assertErrorShape(response);
    },
  }),
  check(DELETE, 'gone', {
    title: 'A deleted completion is gone',
    section: 'companion',
    certainty: 'likely',
    weight: 3,
    needs,
    async run(context) {
      const id = await newCompletion(context);
      const response = await context.send({ method: 'DELETE', path: `/chat/completions/${id}` });
      assertSuccess(response);
      assertFields(response, { id, deleted: true });
      const repeated = await context.send({ method: 'GET', path: `/chat/completions/${id}/messages` });
      const retrieved = await read(context, id);
      assertStatus(retrieved, 404);
      if (repeated.status === 501) throw new Skip('its messages cannot be listed');
      assertStatus(repeated, 404);
    },
  }),
];
