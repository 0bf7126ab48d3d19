import { check } from '../check.ts';
import type { Check } from '../check.ts';
import { fieldsOf, listAt, textAt } from '../exchange/value.ts';
import { successfulSample } from './shape.ts';
import { assertConforms, assertFields, Skip } from '../verdict.ts';

const companion = { section: 'companion', certainty: 'likely' } as const;

/** Models: list and retrieve. None is deleted. */
export const modelChecks: readonly Check[] = [
  check('models.list', 'some', {
    title: 'At least one model is listed, each once',
    ...companion,
    async run(context) {
      const response = await successfulSample(context, 'models.list');
      const ids = listAt(response.json, 'data').map((model) => textAt(model, 'id'));
      assertConforms(response, ids.length > 0, 'No model is listed.');
      assertConforms(response, new Set(ids).size === ids.length, 'Some are listed twice.');
    },
  }),
  check('models.list', 'chat', {
    title: 'The chat model of this run is listed',
    ...companion,
    needs: ['chat.completions.create'],
    weight: 1,
    async run(context) {
      const response = await successfulSample(context, 'models.list');
      const model = await context.chatModel();
      assertConforms(
        response,
        listAt(response.json, 'data').some((one) => textAt(one, 'id') === model),
        `${model} is not listed.`,
      );
    },
  }),
  check('models.retrieve', 'same', {
    title: 'A retrieved model equals the listed one',
    ...companion,
    needs: ['models.list'],
    async run(context) {
      const list = await successfulSample(context, 'models.list');
      const [first] = listAt(list.json, 'data');
      const id = textAt(first, 'id');
      if (id === undefined) throw new Skip('no model is listed');
      const response = await context.send({ method: 'GET', path: `/models/${encodeURIComponent(id)}` });
      const { object, owned_by } = fieldsOf(first);
      assertFields(response, { id, object, owned_by });
    },
  }),
];
