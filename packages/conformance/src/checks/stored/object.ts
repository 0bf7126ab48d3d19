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

const asked = { store: true, seed: 3, top_p: 0.9, temperature: 0.5, presence_penalty: 0.25, frequency_penalty: 0.5 };

const read = (world: World, id: string): Promise<Answer> =>
  world.send({ method: 'GET', path: `/chat/completions/${id}` });

const update = (world: World, id: string, body: unknown): Promise<Answer> =>
  world.send({ method: 'POST', path: `/chat/completions/${id}`, body });

const metadataIs = (answer: Answer, wanted: Readonly<Record<string, string>>): boolean => {
  const given = valueAt(answer.json, 'metadata');
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  return keys.length === Object.keys(wanted).length && keys.every((key) => valueAt(given, key) === wanted[key]);
};

/** One that is asked with parameters and read back. */
async function readBack(world: World): Promise<{ readonly made: Answer; readonly kept: Answer }> {
  const made = await world.asked('a completion with parameters', async () => ({
    method: 'POST',
    path: '/chat/completions',
    body: { model: await world.chatModel(), messages: [{ role: 'user', content: 'Say hello.' }], ...asked, metadata: { conformance: world.run } }, // prettier-ignore
  }));
  const id = idOf(made, 'a stored completion');
  const kept = await world.asked('a completion with parameters, read', () => ({ method: 'GET', path: `/chat/completions/${id}` })); // prettier-ignore
  assertConforms(kept, succeeded(kept), `The response has status ${kept.status}.`);
  return { made, kept };
}

const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
const most: Readonly<Record<string, string>> = {
  ['k'.repeat(64)]: 'v'.repeat(512),
  ...Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${index}`, 'v'])),
};

/** One stored completion: read, changed and deleted. */
export const storedObjectChecks: readonly Check[] = [
  check(RETRIEVE, 'same', {
    title: 'A stored completion is read back as it was answered',
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
      assertConforms(kept, content(kept) === content(made), 'It says something else.');
    },
  }),
  ...Object.entries(asked).flatMap(([field, value]) =>
    field === 'store'
      ? []
      : [
          check(RETRIEVE, `kept.${field}`, {
            title: `A stored completion says the ${field} that it was asked with`,
            section: 'Chat completion object',
            certainty: 'likely',
            weight: 1,
            needs,
            async run(world) {
              const { kept } = await readBack(world);
              assertConforms(kept, valueAt(kept.json, field) === value, `Its ${field} is ${String(valueAt(kept.json, field))} instead of ${value}.`); // prettier-ignore
            },
          }),
        ],
  ),
  ...['request_id', 'tool_choice', 'tools', 'input_user', 'response_format'].map((field) =>
    check(RETRIEVE, `kept.${field}`, {
      title: `A stored completion has ${field}`,
      section: 'Chat completion object',
      certainty: 'likely',
      weight: 1,
      needs,
      async run(world) {
        const { kept } = await readBack(world);
        assertConforms(kept, has(kept.json, field), `${field} is missing.`);
      },
    }),
  ),
  check(RETRIEVE, 'kept.metadata', {
    title: 'A stored completion has its metadata',
    section: 'Chat completion object',
    needs,
    async run(world) {
      const { kept } = await readBack(world);
      assertConforms(kept, metadataIs(kept, { conformance: world.run }), 'Its metadata is another.');
    },
  }),
  check(RETRIEVE, 'not-stored', {
    title: 'A completion that was not stored is not there',
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
    title: 'Updating replaces the metadata, in the answer and for later readers',
    section,
    weight: 3,
    needs,
    async run(world) {
      const id = await newCompletion(world, { metadata: { conformance: world.run, old: '1' } });
      const wanted = { conformance: world.run, new: '2' };
      const answer = await update(world, id, { metadata: wanted });
      assertConforms(answer, succeeded(answer), `The response has status ${answer.status}.`);
      assertConforms(answer, textAt(answer.json, 'id') === id, 'The answer is another completion.');
      assertConforms(answer, metadataIs(answer, wanted), 'The answer does not have the new metadata.');
      const kept = await read(world, id);
      if (kept.status === 404 && !(await world.serving(RETRIEVE)).served) return;
      assertConforms(kept, metadataIs(kept, wanted), 'Read again, it does not have the new metadata.');
    },
  }),
  check(UPDATE, 'refilters', {
    title: 'An updated completion is found by its new pairs and not by the old',
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
    title: 'Metadata of 16 pairs, a key of 64 characters and a value of 512 is taken',
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
      ['pairs', 'More than 16 pairs of metadata are refused', tooMany],
      ['key', 'A metadata key of 65 characters is refused', { ['k'.repeat(65)]: 'v' }],
      ['value', 'A metadata value of 513 characters is refused', { k: 'v'.repeat(513) }],
      ['number', 'A metadata value that is no text is refused', { k: 1 }],
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
    title: 'Nothing but metadata can be changed',
    section,
    field: 'model',
    needs,
    call: async (world) => ({ method: 'POST', path: `/chat/completions/${await newCompletion(world)}`, body: { metadata: {}, model: 'another' } }), // prettier-ignore
  }),
  check(UPDATE, 'not-stored', {
    title: 'A completion that was not stored cannot be updated',
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
      assertConforms(answer, valueAt(answer.json, 'deleted') === true && textAt(answer.json, 'id') === id, 'The answer does not say that it is deleted.'); // prettier-ignore
      const again = await world.send({ method: 'GET', path: `/chat/completions/${id}/messages` });
      const kept = await read(world, id);
      if (kept.status !== 404) assertConforms(kept, false, `Read again, it is answered with ${kept.status}.`);
      if (again.status === 501) throw new Skip('its messages cannot be read');
      assertConforms(again, again.status === 404, `Its messages are answered with ${again.status}.`);
    },
  }),
];
