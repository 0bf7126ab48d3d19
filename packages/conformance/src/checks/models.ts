import { check } from '../check.ts';
import type { Check } from '../check.ts';
import { listAt, textAt } from '../exchange/value.ts';
import { successfulSample } from './shape.ts';
import { assertConforms, Skip } from '../verdict.ts';

const companion = { section: 'companion', certainty: 'likely' } as const;

/** Models: list and retrieve. None is deleted. */
export const modelChecks: readonly Check[] = [
  check('models.list', 'some', {
    title: 'At least one model is listed, each once',
    ...companion,
    async run(world) {
      const answer = await successfulSample(world, 'models.list');
      const ids = listAt(answer.json, 'data').map((model) => textAt(model, 'id'));
      assertConforms(answer, ids.length > 0, 'No model is listed.');
      assertConforms(answer, new Set(ids).size === ids.length, 'Some are listed twice.');
    },
  }),
  check('models.list', 'chat', {
    title: 'The chat model of this run is listed',
    ...companion,
    needs: ['chat.completions.create'],
    weight: 1,
    async run(world) {
      const answer = await successfulSample(world, 'models.list');
      const model = await world.chatModel();
      assertConforms(
        answer,
        listAt(answer.json, 'data').some((one) => textAt(one, 'id') === model),
        `${model} is not listed.`,
      );
    },
  }),
  check('models.retrieve', 'same', {
    title: 'A retrieved model equals the listed one',
    ...companion,
    needs: ['models.list'],
    async run(world) {
      const list = await successfulSample(world, 'models.list');
      const [first] = listAt(list.json, 'data');
      const id = textAt(first, 'id');
      if (id === undefined) throw new Skip('no model is listed');
      const answer = await world.send({ method: 'GET', path: `/models/${encodeURIComponent(id)}` });
      for (const field of ['id', 'object', 'owned_by']) {
        assertConforms(answer, textAt(answer.json, field) === textAt(first, field), `Its ${field} is another.`);
      }
    },
  }),
];
