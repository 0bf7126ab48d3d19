import type { StandardSchema } from '@modelwire/chat/tools';

/** A schema that takes every value: for what is judged elsewhere. */
export const anything: StandardSchema = {
  '~standard': { version: 1, vendor: 'modelwire', validate: (value) => ({ value }) },
};
