import type { StandardSchema } from '../src/parse/index.ts';

/** A string schema of a library that implements both standards. */
export const text: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'tests',
    validate: (value) => (typeof value === 'string' ? { value } : { issues: [{ message: 'not a string' }] }),
    jsonSchema: { input: ({ target }) => ({ $schema: target, type: 'string' }) },
  },
};
