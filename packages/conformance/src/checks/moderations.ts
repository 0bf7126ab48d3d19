import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import { isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { fieldsOf, listAt, textAt, valueAt } from '../exchange/value.ts';
import type { World } from '../world/world.ts';
import { rejectionChecks } from './refusal.ts';
import { assertNamesParam } from './shape.ts';
import { assertConforms, assertSuccess, Skip } from '../verdict.ts';

const CREATE = 'moderations.create';
const section = 'Create moderation';
const OBJECT = 'Moderation object';

/** The category names of the API. */
const CATEGORIES = [
  ...['sexual', 'hate', 'harassment', 'self-harm', 'sexual/minors', 'hate/threatening', 'violence/graphic'],
  ...['self-harm/intent', 'self-harm/instructions', 'harassment/threatening', 'violence', 'illicit', 'illicit/violent'],
];
const NEWER_CATEGORIES: ReadonlySet<string> = new Set(['illicit', 'illicit/violent']);
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='; // prettier-ignore

function bodyOf(world: World, input: unknown, extra: object = {}): object {
  const { moderation } = world.settings.models;
  return { input, ...(moderation !== undefined && { model: moderation }), ...extra };
}

const sendModeration = (world: World, input: unknown, extra: object = {}): Promise<Answer> =>
  world.sendOnce(`moderation ${JSON.stringify([input, extra])}`, () => ({ method: 'POST', path: '/moderations', body: bodyOf(world, input, extra) })); // prettier-ignore

async function moderate(world: World, input: unknown, extra: object = {}): Promise<Answer> {
  const answer = await sendModeration(world, input, extra);
  assertSuccess(answer);
  return answer;
}

const moderation = (name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(CREATE, name, { section, ...init });

const HARMLESS_TEXT = 'A quiet walk by the river.';
const THREATENING_TEXT = 'I will kill you and your whole family, and I will burn your house down.';

const results = (answer: Answer): readonly unknown[] => listAt(answer.json, 'results');

function assertResultCount(answer: Answer, count: number): void {
  assertConforms(answer, results(answer).length === count, `There are ${results(answer).length} results for ${count} inputs.`, 'Return one result for each input, in order.'); // prettier-ignore
}

/** Create moderation. */
export const moderationChecks: readonly Check[] = [
  moderation('input.text', {
    title: 'One text returns one result',
    weight: 3,
    run: async (world) => assertResultCount(await moderate(world, HARMLESS_TEXT), 1),
  }),
  moderation('input.list', {
    title: 'Three texts return three results',
    section: OBJECT,
    weight: 3,
    run: async (world) =>
      assertResultCount(await moderate(world, [HARMLESS_TEXT, 'Bread and butter.', HARMLESS_TEXT]), 3),
  }),
  moderation('input.parts', {
    title: 'Accepts multi-modal input of a text',
    weight: 3,
    async run(world) {
      const answer = await moderate(world, [{ type: 'text', text: HARMLESS_TEXT }]);
      assertConforms(answer, results(answer).length === 1, `There are ${results(answer).length} results.`);
    },
  }),
  moderation('input.image', {
    title: 'An image as data URL is moderated, or rejected with a 400 that names it',
    weight: 3,
    async run(world) {
      const answer = await sendModeration(world, [{ type: 'text', text: HARMLESS_TEXT }, { type: 'image_url', image_url: { url: PIXEL } }]); // prettier-ignore
      if (answer.status === 400) {
        assertNamesParam(answer, ['input']);
        return 'Refused honestly.';
      }
      assertSuccess(answer);
      const types = Object.values(fieldsOf(valueAt(results(answer)[0], 'category_applied_input_types'))).flat();
      assertConforms(
        answer,
        types.includes('image'),
        'No category has image among its applied input types, so the image was dropped silently.',
      );
      return undefined;
    },
  }),
  moderation('categories', {
    title: 'Every category has a boolean and a score',
    section: OBJECT,
    weight: 3,
    async run(world) {
      const answer = await moderate(world, HARMLESS_TEXT);
      const [result] = results(answer);
      for (const category of CATEGORIES) {
        // The older response format, for text only, does not have these.
        if (NEWER_CATEGORIES.has(category) && valueAt(result, 'category_applied_input_types') === undefined) continue;
        assertConforms(
          answer,
          typeof valueAt(result, 'categories', category) === 'boolean',
          `categories lacks ${category}.`,
        );
        assertConforms(answer, typeof valueAt(result, 'category_scores', category) === 'number', `category_scores lacks ${category}.`); // prettier-ignore
      }
    },
  }),
  moderation('categories.no-others', {
    title: 'There are no other categories',
    section: OBJECT,
    certainty: 'likely',
    weight: 1,
    async run(world) {
      const answer = await moderate(world, HARMLESS_TEXT);
      const names = Object.keys(fieldsOf(valueAt(results(answer)[0], 'categories')));
      const unknown = names.filter((name) => !CATEGORIES.includes(name));
      assertConforms(answer, unknown.length === 0, `There is ${unknown.join(', ').slice(0, 200)}.`);
    },
  }),
  moderation('scores', {
    title: 'Scores are between 0 and 1',
    section: OBJECT,
    certainty: 'likely',
    async run(world) {
      const answer = await moderate(world, THREATENING_TEXT);
      const scores = Object.values(fieldsOf(valueAt(results(answer)[0], 'category_scores')));
      assertConforms(answer, scores.length > 0, 'There are none.');
      assertConforms(
        answer,
        scores.every((score) => typeof score === 'number' && score >= 0 && score <= 1),
        'One is not.',
      );
    },
  }),
  moderation('flagged', {
    title: 'flagged is true if and only if one of the categories is true',
    section: OBJECT,
    certainty: 'likely',
    async run(world) {
      for (const answer of [await moderate(world, HARMLESS_TEXT), await moderate(world, THREATENING_TEXT)]) {
        const [result] = results(answer);
        const any = Object.values(fieldsOf(valueAt(result, 'categories'))).includes(true);
        assertConforms(answer, valueAt(result, 'flagged') === any, `flagged is ${String(valueAt(result, 'flagged'))}.`);
      }
    },
  }),
  moderation('judges', {
    title: 'A threat is flagged and a walk by the river is not',
    section: OBJECT,
    certainty: 'opinion',
    async run(world) {
      const [threatening, harmless] = [await moderate(world, THREATENING_TEXT), await moderate(world, HARMLESS_TEXT)];
      assertConforms(threatening, valueAt(results(threatening)[0], 'flagged') === true, 'The threat is not flagged.');
      assertConforms(harmless, valueAt(results(harmless)[0], 'flagged') === false, 'The walk is flagged.');
    },
  }),
  moderation('order', {
    title: 'Results are in the order of their inputs',
    section: OBJECT,
    certainty: 'likely',
    async run(world) {
      const answer = await moderate(world, [HARMLESS_TEXT, THREATENING_TEXT]);
      const single = await moderate(world, THREATENING_TEXT);
      if (valueAt(results(single)[0], 'flagged') !== true)
        throw new Skip('the server flags nothing that distinguishes the inputs');
      assertConforms(answer, valueAt(results(answer)[0], 'flagged') === false && valueAt(results(answer)[1], 'flagged') === true, 'They are not.'); // prettier-ignore
    },
  }),
  moderation('applied', {
    title: 'The multi-modal model returns the input types that each category was applied to',
    section: OBJECT,
    async run(world) {
      const image = await sendModeration(world, [{ type: 'image_url', image_url: { url: PIXEL } }]);
      if (!isSuccess(image)) throw new Skip('the model moderates text only');
      const answer = await moderate(world, HARMLESS_TEXT);
      const applied = valueAt(results(answer)[0], 'category_applied_input_types');
      for (const category of CATEGORIES) {
        const types = valueAt(applied, category);
        assertConforms(answer, Array.isArray(types), `category_applied_input_types lacks ${category}.`);
        assertConforms(
          answer,
          types.every((type) => type === 'text' || type === 'image'),
          `${category} has another type.`,
        );
      }
    },
  }),
  moderation('applied.text', {
    title: 'No category was applied to an image in an input without one',
    section: OBJECT,
    certainty: 'likely',
    weight: 1,
    async run(world) {
      const answer = await moderate(world, HARMLESS_TEXT);
      const types = Object.values(fieldsOf(valueAt(results(answer)[0], 'category_applied_input_types'))).flat();
      assertConforms(answer, !types.includes('image'), 'One was.');
    },
  }),
  moderation('id', {
    title: 'Each moderation has a unique ID',
    section: OBJECT,
    async run(world) {
      const [one, two] = [await moderate(world, HARMLESS_TEXT), await moderate(world, THREATENING_TEXT)];
      const id = textAt(two.json, 'id');
      assertConforms(
        two,
        id !== undefined && id !== '' && id !== textAt(one.json, 'id'),
        `Two have the ID ${String(id)}.`,
      );
    },
  }),
  ...['omni-moderation-latest', 'omni-moderation-2024-09-26'].map((model) =>
    moderation(`model.${model}`, {
      title: `The model can be ${model}`,
      async run(world) {
        const answer = await moderate(world, HARMLESS_TEXT, { model });
        assertConforms(answer, (textAt(answer.json, 'model') ?? '') !== '', 'The response does not name the model.');
      },
    }),
  ),
  moderation('model.default', {
    title: 'Uses the default model without a model',
    async run(world) {
      const answer = await world.sendOnce('moderation without model', () => ({ method: 'POST', path: '/moderations', body: { input: HARMLESS_TEXT } })); // prettier-ignore
      assertSuccess(answer);
    },
  }),
  ...rejects('model', 'Rejects an unknown model', 'model', { input: HARMLESS_TEXT, model: 'no-moderation' }, { statuses: [404] }), // prettier-ignore
  ...rejects('empty', 'Rejects an empty list of inputs', 'input', { input: [] }, { certainty: 'likely' }),
  ...rejects('part', 'Rejects an unknown input part type', 'input', { input: [{ type: 'smell', smell: 'x' }] }), // prettier-ignore
  ...rejects('part-text', 'Rejects a text part without text', 'input', { input: [{ type: 'text' }] }),
  ...rejects('part-url', 'Rejects an image part without a url', 'input', { input: [{ type: 'image_url', image_url: {} }] }), // prettier-ignore
  ...rejects('mixed', 'Rejects texts and parts in one list', 'input', { input: ['a', { type: 'text', text: 'b' }] }, { certainty: 'likely' }), // prettier-ignore
];

function rejects(
  name: string,
  title: string,
  field: string,
  body: object,
  extra: { readonly statuses?: readonly number[]; readonly certainty?: 'likely' } = {},
): readonly Check[] {
  return rejectionChecks(CREATE, `refuses.${name}`, { title, section, field, ...extra, call: () => ({ method: 'POST', path: '/moderations', body }) }); // prettier-ignore
}
