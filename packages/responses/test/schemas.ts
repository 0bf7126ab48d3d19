import type { StandardSchema } from '../src/parse/index.ts';

export interface City {
  readonly city: string;
}

/** A schema for `{ city: string }` of a library that implements both standards. */
export const city: StandardSchema<City> = {
  '~standard': {
    version: 1,
    vendor: 'tests',
    validate: (value) => (isCity(value) ? { value } : { issues: [{ message: 'not a city' }] }),
    jsonSchema: {
      input: () => ({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    },
  },
};

function isCity(value: unknown): value is City {
  return typeof value === 'object' && value !== null && 'city' in value && typeof value.city === 'string';
}
