import { expect, test } from 'vitest';
import { createTextModeration, type TextModerationOptions } from './index.ts';
import { judgedCategories } from './thresholds.ts';

test('serves the alias and the dated model for text by default', () => {
  const models = createTextModeration().models();
  expect(models.map(({ id }) => id)).toEqual(['omni-moderation-latest', 'omni-moderation-2024-09-26']);
  for (const model of models)
    expect(model).toMatchObject({ owned_by: 'modelwire', created: 1_767_225_600, inputs: ['text'] });
});

test('serves the configured models', () => {
  const model = { id: 'guard', created: 5, owned_by: 'me', inputs: ['text', 'image'] } as const;
  expect(createTextModeration({ models: [model] }).models()).toEqual([{ ...model, categories: judgedCategories }]);
});

test.each([
  [{ model: [] }, "createTextModeration has no option 'model'; known options: models"],
  [{ models: [] }, 'models must be a non-empty array of models'],
  [{ models: 'x' }, 'models must be a non-empty array of models'],
  [{ models: [null] }, 'models[0] must be an object'],
  [{ models: [{ id: '' }] }, 'models[0].id must be a non-empty string'],
  [{ models: [{ id: 'a', size: 1 }] }, "models[0] has no option 'size'; known options: id, created, owned_by, inputs"],
  [{ models: [{ id: 'a', created: -1 }] }, 'models[0].created must be an integer in Unix seconds'],
  [{ models: [{ id: 'a', owned_by: 1 }] }, 'models[0].owned_by must be a string'],
  [{ models: [{ id: 'a', inputs: ['image'] }] }, "models[0].inputs must be ['text'] or ['text', 'image']"],
  [{ models: [{ id: 'a', inputs: ['text', 'audio'] }] }, "models[0].inputs must be ['text'] or ['text', 'image']"],
  [{ models: [{ id: 'a' }, { id: 'a' }] }, "models has the ID 'a' twice"],
])('rejects %j with a message that names the problem', (options, message) => {
  expect(() => createTextModeration(options as unknown as TextModerationOptions)).toThrow(new TypeError(message));
});
