import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { describeValue, fieldsOf, listAt, textAt, valueAt } from '../exchange/value.ts';
import type { RunContext } from '../context/run-context.ts';
import { rejectionChecks } from './refusal.ts';
import { assertNamesParam } from './shape.ts';
import { assertConforms, assertSuccess, Skip, successful } from '../verdict.ts';

const CREATE = 'moderations.create';
const section = 'Create moderation';
const OBJECT = 'Moderation object';

/** The category names of the API. */
const CATEGORIES = [
  ...['sexual', 'hate', 'harassment', 'self-harm', 'sexual/minors', 'hate/threatening', 'violence/graphic'],
  ...['self-harm/intent', 'self-harm/instructions', 'harassment/threatening', 'violence', 'illicit', 'illicit/violent'],
];
const NEWER_CATEGORIES: ReadonlySet<string> = new Set(['illicit', 'illicit/violent']);
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

function bodyOf(context: RunContext, input: unknown, extra: object = {}): object {
  const { moderation } = context.settings.models;
  return { input, ...(moderation !== undefined && { model: moderation }), ...extra };
}

const sendModeration = (context: RunContext, input: unknown, extra: object = {}): Promise<CompleteResponse> =>
  context.sendOnce(`moderation ${JSON.stringify([input, extra])}`, () => ({
    method: 'POST',
    path: '/moderations',
    body: bodyOf(context, input, extra),
  }));

const moderate = (context: RunContext, input: unknown, extra: object = {}): Promise<CompleteResponse> =>
  successful(sendModeration(context, input, extra));

const moderation = (name: string, init: Omit<CheckInit, 'section'> & { section?: string }): Check =>
  check(CREATE, name, { section, ...init });

const HARMLESS_TEXT = 'A quiet walk by the river.';
/** In several categories, because no model has to judge all of them. */
const THREATENING_TEXT =
  'I will kill you and your whole family, I will burn your house down, and then I will kill myself.';

const results = (response: CompleteResponse): readonly unknown[] => listAt(response.json, 'results');

function assertResultCount(response: CompleteResponse, count: number): void {
  assertConforms(
    response,
    results(response).length === count,
    `There are ${results(response).length} results for ${count} inputs.`,
    'Return one result for each input, in order.',
  );
}

/** Create moderation. */
export const moderationChecks: readonly Check[] = [
  moderation('input.text', {
    title: 'One text returns one result',
    weight: 3,
    run: async (context) => assertResultCount(await moderate(context, HARMLESS_TEXT), 1),
  }),
  moderation('input.list', {
    title: 'Three texts return three results',
    section: OBJECT,
    weight: 3,
    run: async (context) =>
      assertResultCount(await moderate(context, [HARMLESS_TEXT, 'Bread and butter.', HARMLESS_TEXT]), 3),
  }),
  moderation('input.parts', {
    title: 'Accepts multi-modal input of a text',
    weight: 3,
    async run(context) {
      const response = await moderate(context, [{ type: 'text', text: HARMLESS_TEXT }]);
      assertConforms(response, results(response).length === 1, `There are ${results(response).length} results.`);
    },
  }),
  moderation('input.image', {
    title: 'An image as data URL is moderated, or rejected with a 400 that names it',
    weight: 3,
    async run(context) {
      const response = await sendModeration(context, [
        { type: 'text', text: HARMLESS_TEXT },
        { type: 'image_url', image_url: { url: PIXEL } },
      ]);
      if (response.status === 400) {
        assertNamesParam(response, ['input']);
        return 'Rejected with a 400 that names it.';
      }
      assertSuccess(response);
      const types = Object.values(fieldsOf(valueAt(results(response)[0], 'category_applied_input_types'))).flat();
      assertConforms(
        response,
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
    async run(context) {
      const response = await moderate(context, HARMLESS_TEXT);
      const [result] = results(response);
      for (const category of CATEGORIES) {
        // The older response format, for text only, does not have these.
        if (NEWER_CATEGORIES.has(category) && valueAt(result, 'category_applied_input_types') === undefined) continue;
        assertConforms(
          response,
          typeof valueAt(result, 'categories', category) === 'boolean',
          `categories lacks ${category}.`,
        );
        assertConforms(
          response,
          typeof valueAt(result, 'category_scores', category) === 'number',
          `category_scores lacks ${category}.`,
        );
      }
    },
  }),
  moderation('categories.no-others', {
    title: 'There are no other categories',
    section: OBJECT,
    certainty: 'likely',
    weight: 1,
    async run(context) {
      const response = await moderate(context, HARMLESS_TEXT);
      const names = Object.keys(fieldsOf(valueAt(results(response)[0], 'categories')));
      const unknown = names.filter((name) => !CATEGORIES.includes(name));
      assertConforms(response, unknown.length === 0, `There is ${unknown.join(', ').slice(0, 200)}.`);
    },
  }),
  moderation('scores', {
    title: 'Scores are between 0 and 1',
    section: OBJECT,
    certainty: 'likely',
    async run(context) {
      const response = await moderate(context, THREATENING_TEXT);
      const scores = Object.values(fieldsOf(valueAt(results(response)[0], 'category_scores')));
      assertConforms(response, scores.length > 0, 'There are none.');
      assertConforms(
        response,
        scores.every((score) => typeof score === 'number' && score >= 0 && score <= 1),
        'One is not.',
      );
    },
  }),
  moderation('flagged', {
    title: 'flagged is true if and only if one of the categories is true',
    section: OBJECT,
    certainty: 'likely',
    async run(context) {
      for (const response of [await moderate(context, HARMLESS_TEXT), await moderate(context, THREATENING_TEXT)]) {
        const [result] = results(response);
        const any = Object.values(fieldsOf(valueAt(result, 'categories'))).includes(true);
        assertConforms(
          response,
          valueAt(result, 'flagged') === any,
          `flagged is ${describeValue(valueAt(result, 'flagged'))}.`,
        );
      }
    },
  }),
  moderation('judges', {
    title: 'A threat is flagged and a walk by the river is not',
    section: OBJECT,
    certainty: 'opinion',
    async run(context) {
      const [threatening, harmless] = [
        await moderate(context, THREATENING_TEXT),
        await moderate(context, HARMLESS_TEXT),
      ];
      assertConforms(threatening, valueAt(results(threatening)[0], 'flagged') === true, 'The threat is not flagged.');
      assertConforms(harmless, valueAt(results(harmless)[0], 'flagged') === false, 'The walk is flagged.');
    },
  }),
  moderation('order', {
    title: 'Results are in the order of their inputs',
    section: OBJECT,
    certainty: 'likely',
    async run(context) {
      const response = await moderate(context, [HARMLESS_TEXT, THREATENING_TEXT]);
      const single = await moderate(context, THREATENING_TEXT);
      if (valueAt(results(single)[0], 'flagged') !== true)
        throw new Skip('the server flags nothing that distinguishes the inputs');
      assertConforms(
        response,
        valueAt(results(response)[0], 'flagged') === false && valueAt(results(response)[1], 'flagged') === true,
        'They are not.',
      );
    },
  }),
  moderation('applied', {
    title: 'The multi-modal model returns the input types that each category was applied to',
    section: OBJECT,
    async run(context) {
      const image = await sendModeration(context, [{ type: 'image_url', image_url: { url: PIXEL } }]);
      if (!isSuccess(image)) throw new Skip('the model moderates text only');
      const response = await moderate(context, HARMLESS_TEXT);
      const applied = valueAt(results(response)[0], 'category_applied_input_types');
      for (const category of CATEGORIES) {
        const types = valueAt(applied, category);
        assertConforms(response, Array.isArray(types), `category_applied_input_types lacks ${category}.`);
        assertConforms(
          response,
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
    async run(context) {
      const response = await moderate(context, HARMLESS_TEXT);
      const types = Object.values(fieldsOf(valueAt(results(response)[0], 'category_applied_input_types'))).flat();
      assertConforms(response, !types.includes('image'), 'One was.');
    },
  }),
  moderation('id', {
    title: 'Each moderation has a unique ID',
    section: OBJECT,
    async run(context) {
      const [one, two] = [await moderate(context, HARMLESS_TEXT), await moderate(context, THREATENING_TEXT)];
      const id = textAt(two.json, 'id');
      assertConforms(
        two,
        id !== undefined && id !== '' && id !== textAt(one.json, 'id'),
        `Two have the ID ${describeValue(id)}.`,
      );
    },
  }),
  ...['omni-moderation-latest', 'omni-moderation-2024-09-26'].map((model) =>
    moderation(`model.${model}`, {
      title: `The model can be ${model}`,
      async run(context) {
        const response = await moderate(context, HARMLESS_TEXT, { model });
        assertConforms(
          response,
          (textAt(response.json, 'model') ?? '') !== '',
          'The response does not name the model.',
        );
      },
    }),
  ),
  moderation('model.default', {
    title: 'Uses the default model without a model',
    async run(context) {
      const response = await context.sendOnce('moderation without model', () => ({
        method: 'POST',
        path: '/moderations',
        body: { input: HARMLESS_TEXT },
      }));
      assertSuccess(response);
    },
  }),
  ...rejects(
    'model',
    'Rejects an unknown model',
    'model',
    { input: HARMLESS_TEXT, model: 'no-moderation' },
    { statuses: [404] },
  ),
  ...rejects('empty', 'Rejects an empty list of inputs', 'input', { input: [] }, { certainty: 'likely' }),
  ...rejects('part', 'Rejects an unknown input part type', 'input', { input: [{ type: 'smell', smell: 'x' }] }),
  ...rejects('part-text', 'Rejects a text part without text', 'input', { input: [{ type: 'text' }] }),
  ...rejects('part-url', 'Rejects an image part without a url', 'input', {
    input: [{ type: 'image_url', image_url: {} }],
  }),
  ...rejects(
    'mixed',
    'Rejects texts and parts in one list',
    'input',
    { input: ['a', { type: 'text', text: 'b' }] },
    { certainty: 'likely' },
  ),
];

function rejects(
  name: string,
  title: string,
  field: string,
  body: object,
  extra: { readonly statuses?: readonly number[]; readonly certainty?: 'likely' } = {},
): readonly Check[] {
  return rejectionChecks(CREATE, `refuses.${name}`, {
    title,
    section,
    field,
    ...extra,
    call: () => ({ method: 'POST', path: '/moderations', body }),
  });
}
