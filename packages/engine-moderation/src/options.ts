import { checkOption, checkOptionNames } from '@modelwire/adapter-kit';
import type { ModerationEngineModel } from '@modelwire/ports';
import type { ModerationInputType } from '@modelwire/schema/types';
import { judgedCategories } from './thresholds.ts';

/** Options of `createTextModeration`. */
export interface TextModerationOptions {
  /** The served models, at least one. Default: `omni-moderation-latest` and `omni-moderation-2024-09-26`. */
  readonly models?: readonly TextModerationModel[];
}

/** A model ID of the classifier. All IDs return the same scores. */
export interface TextModerationModel {
  readonly id: string;
  /** `created` in `GET /v1/models`, in Unix seconds. Default: 1 January 2026. */
  readonly created?: number;
  /** `owned_by` in `GET /v1/models`. Default `modelwire`. */
  readonly owned_by?: string;
  /**
   * The declared input types of the model. Default `['text']`: the older response format without applied input types
   * (API: Moderation object). With `image`, inputs can contain images and the newer format is returned; the classifier
   * still examines text only and reports so.
   */
  readonly inputs?: readonly ModerationInputType[];
}

/** Models with all defaults. */
export type FullModel = Required<TextModerationModel> & Pick<ModerationEngineModel, 'categories'>;

const firstOf2026 = 1_767_225_600;
const defaults: readonly TextModerationModel[] = [
  { id: 'omni-moderation-latest' },
  { id: 'omni-moderation-2024-09-26' },
];

/** Validates the options and applies the defaults. Throws a TypeError that names the invalid option. */
export function fullModels(options: TextModerationOptions): readonly FullModel[] {
  checkOptionNames('createTextModeration', options, ['models']);
  const { models = defaults } = options;
  checkOption(Array.isArray(models) && models.length > 0, 'models must be a non-empty array of models');
  const full = models.map(fullModel);
  const ids = full.map(({ id }) => id);
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  checkOption(duplicate === undefined, `models has the ID '${duplicate ?? ''}' twice`);
  return Object.freeze(full);
}

function fullModel(model: TextModerationModel, index: number): FullModel {
  const path = `models[${index}]`;
  checkOption(isObject(model), `${path} must be an object`);
  checkOptionNames(path, model, ['id', 'created', 'owned_by', 'inputs']);
  const { id, created = firstOf2026, owned_by = 'modelwire', inputs = ['text'] } = model;
  checkOption(typeof id === 'string' && id !== '', `${path}.id must be a non-empty string`);
  checkOption(Number.isSafeInteger(created) && created >= 0, `${path}.created must be an integer in Unix seconds`);
  checkOption(typeof owned_by === 'string', `${path}.owned_by must be a string`);
  checkOption(
    Array.isArray(inputs) && inputs.includes('text') && inputs.every((input) => input === 'text' || input === 'image'),
    `${path}.inputs must be ['text'] or ['text', 'image']`,
  );
  return Object.freeze({ id, created, owned_by, inputs: Object.freeze([...inputs]), categories: judgedCategories });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
