import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { succeeded } from '../../exchange/answer.ts';
import type { Answer } from '../../exchange/answer.ts';
import { has, textAt, valueAt } from '../../exchange/value.ts';
import { idOf, newCompletion } from '../../world/makers.ts';
import type { World } from '../../world/world.ts';
import { refusal } from '../refusal.ts';
import { hasErrorShape } from '../shape.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const RETRIEVE = 'chat.completions.retrieve';
const UPDATE = 'chat.completions.update';
const DELETE = 'chat.completions.delete';
const { section } = contract[UPDATE];
const needs = ['chat.completions.create'] as const;

const asked = { seed: 3, top_p: 0.9, temperature: 0.5, presence_penalty: 0.25, frequency_penalty: 0.5 };

const read = (world: World, id: string): Promise<Answer> =>
  world.send({ method: 'GET', path: `/chat/completions/${id}` });

const update = (world: World, id: string, body: unknown): Promise<Answer> =>
  world.send({ method: 'POST', path: `/chat/completions/${id}`, body });

const metadataIs = (answer: Answer, wanted: Readonly<Record<string, string>>): boolean => {
  const given = valueAt(answer.json, 'metadata');
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  return keys.length === Object.keys(wanted).length && keys.every((key) => valueAt(given, key) === wanted[key]);
};

/** A completion that is created with parameters and retrieved. */
async function readBack(world: World): Promise<{ readonly made: Answer; readonly kept: Answer }> {
  const made = await world.asked('a completion with parameters', async () => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }], store: true, ...asked, metadata: { conformance: world.run } }, // prettier-ignore
  }));
  const id = idOf(made, 'a stored completion');
  const kept = await world.asked('a completion with parameters, read', () => ({ method: 'GET', path: `/chat/completions/${id}` })); // prettier-ignore
  assertConforms(kept, succeeded(kept), `The response has status ${kept.status}.`);
  return { made, kept };
}

/** A check of one field of a stored completion. */
const keptField = (field: string, what: string, verify: (kept: Answer) => void): Check =>
  check(RETRIEVE, `kept.${field}`, {
    title: `A stored completion has ${what}`,
    section: 'Chat completion object',
    certainty: 'likely',
    weight: 1,
    needs,
    run: async (world) => verify((await readBack(world)).kept),
  });

const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
const most: Readonly<Record<string, string>> = {
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
      const { made, kept } = await readBack(world);
      for (const field of ['id', 'object', 'created', 'model']) {
        assertConforms(kept, valueAt(kept.json, field) === valueAt(made.json, field), `Its ${field} is another.`);
      }
      const content = (answer: Answer): unknown => valueAt(answer.json, 'choices', 0, 'message', 'content');
      assertConforms(kept, content(kept) === content(made), 'It differs.');
    },
  }),
  ...Object.entries(asked).map(([field, value]) =>
    keptField(field, `the ${field} of its request`, (kept) => {
      const given = valueAt(kept.json, field);
      assertConforms(kept, given === value, `Its ${field} is ${String(given)} instead of ${value}.`);
    }),
  ),
  ...['request_id', 'tool_choice', 'tools', 'input_user', 'response_format'].map((field) =>
    keptField(field, field, (kept) => assertConforms(kept, has(kept.json, field), `${field} is missing.`)),
  ),
  check(RETRIEVE, 'kept.metadata', {
    title: 'A stored completion has its metadata',
    section: 'Chat completion object',
    needs,
    async run(world) {
      const { kept } = await readBack(world);
      assertConforms(kept, metadataIs(kept, { conformance: world.run }), 'Its metadata differs.');
    },
  }),
  check(RETRIEVE, 'not-stored', {
    title: 'A completion without store does not exist',
    section: 'Errors',
    weight: 3,
    needs,
    async run(world) {
      const body = { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }] };
      const made = await world.send({ method: 'POST', path: '/chat/completions', body });
      const answer = await read(world, idOf(made, 'a completion'));
      assertConforms(answer, answer.status === 404, `The response has status ${answer.status} instead of 404.`);
      hasErrorShape(answer);
    },
  }),
  check(UPDATE, 'replaces', {
    title: 'Updating replaces the metadata, in the response and later',
    section,
    weight: 3,
    needs,
    async run(world) {
      const id = await newCompletion(world, { metadata: { conformance: world.run, old: '1' } });
      const wanted = { conformance: world.run, new: '2' };
      const answer = await update(world, id, { metadata: wanted });
      assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
      assertConforms(answer, textAt(answer.json, 'id') === id, 'The response is another completion.');
      assertConforms(answer, metadataIs(answer, wanted), 'The response does not have the new metadata.');
      const kept = await read(world, id);
      if (kept.status === 404 && !(await world.serving(RETRIEVE)).served) return;
      assertConforms(kept, metadataIs(kept, wanted), 'The retrieved completion does not have the new metadata.');
    },
  }),
  check(UPDATE, 'refilters', {
    title: 'An updated completion is found by its new metadata and not by the old',
    section: 'List chat completions',
    needs: [...needs, 'chat.completions.list'],
    async run(world) {
      const [old, fresh] = [`${world.run}-old`, `${world.run}-fresh`];
      const id = await newCompletion(world, { metadata: { conformance: old } });
      await update(world, id, { metadata: { conformance: fresh } });
      const find = (value: string): Promise<Answer> =>
        world.send({ method: 'GET', path: '/chat/completions', query: [['metadata[conformance]', value]] });
      const [before, after] = [await find(old), await find(fresh)];
      assertConforms(after, after.text.includes(id), 'It is not found by the new pair.');
      assertConforms(before, succeeded(before) && !before.text.includes(id), 'It is still found by the old pair.');
    },
  }),
  check(UPDATE, 'most', {
    title: 'Accepts 16 pairs of metadata, keys of 64 and values of 512 characters',
    section: 'Limits',
    needs,
    async run(world) {
      const id = await newCompletion(world);
      const answer = await update(world, id, { metadata: most });
      assertConforms(
        answer,
        succeeded(answer) && metadataIs(answer, most),
        `The response has status ${answer.status}.`,
      );
    },
  }),
  ...(
    [
      ['pairs', 'Rejects more than 16 pairs of metadata', tooMany],
      ['key', 'Rejects a metadata key of 65 characters', { ['k'.repeat(65)]: 'v' }],
      ['value', 'Rejects a metadata value of 513 characters', { k: 'v'.repeat(513) }],
      ['number', 'Rejects a metadata value that is not a string', { k: 1 }],
    ] as const
  ).flatMap(([name, title, metadata]) =>
    refusal(UPDATE, `refuses.${name}`, {
      title,
      section: 'Limits',
      field: 'metadata',
      needs,
      call: async (world) => ({ method: 'POST', path: `/chat/completions/${await newCompletion(world)}`, body: { metadata } }), // prettier-ignore
    }),
  ),
  ...refusal(UPDATE, 'refuses.others', {
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
      const body = { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }] };
      const made = await world.send({ method: 'POST', path: '/chat/completions', body });
      const answer = await update(world, idOf(made, 'a completion'), { metadata: {} });
      assertConforms(
        answer,
        answer.status === 404 || answer.status === 400,
        `The response has status ${answer.status}.`,
      );
      hasErrorShape(answer);
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
      assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
      assertConforms(answer, valueAt(answer.json, 'deleted') === true && textAt(answer.json, 'id') === id, 'The response does not confirm the deletion.'); // prettier-ignore
      const again = await world.send({ method: 'GET', path: `/chat/completions/${id}/messages` });
      const kept = await read(world, id);
      if (kept.status !== 404) assertConforms(kept, false, `Retrieving it returns ${kept.status}.`);
      if (again.status === 501) throw new Skip('its messages cannot be listed');
      assertConforms(again, again.status === 404, `Its messages return ${again.status}.`);
    },
  }),
];
