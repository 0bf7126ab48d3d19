import type { RequestStats } from '@modelwire/ports';

/** The key of a count. */
export type DailyKey = Pick<RequestStats, 'day' | 'project' | 'keyId' | 'model'>;

/**
 * Returns a function that joins the fields of a key to one string. It returns the same string again while they do not change, as most
 * requests follow one of the same key and model: building and hashing a new string takes longer than comparing the fields.
 */
export function createDailyKeyFormatter(): (fields: DailyKey) => string {
  let last: DailyKey | undefined;
  let key = '';
  return (fields) => {
    const { day, project, keyId, model } = fields;
    if (last?.day === day && last.project === project && last.keyId === keyId && last.model === model) return key;
    last = fields;
    // IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last.
    return (key = `${day}\n${project}\n${keyId}\n${model}`);
  };
}
