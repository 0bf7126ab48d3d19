import * as z from 'zod';
import { text } from './field.ts';
import { METADATA_KEY_MAX_LENGTH, METADATA_MAX_PAIRS, METADATA_VALUE_MAX_LENGTH } from '../limits.ts';

/** Any `metadata` map (API: Limits). */
export const metadataSchema = z
  .record(text({ max: METADATA_KEY_MAX_LENGTH }), text({ max: METADATA_VALUE_MAX_LENGTH }))
  .check(({ value, issues }) => {
    if (Object.keys(value).length > METADATA_MAX_PAIRS) {
      issues.push({ code: 'too_big', origin: 'object', maximum: METADATA_MAX_PAIRS, inclusive: true, input: value });
    }
  })
  .meta({
    id: 'Metadata',
    description: `Up to ${METADATA_MAX_PAIRS} key-value pairs of your own. Keys have at most ${METADATA_KEY_MAX_LENGTH} characters, values at most ${METADATA_VALUE_MAX_LENGTH}.`,
    maxProperties: METADATA_MAX_PAIRS,
    examples: [{ topic: 'titles' }],
  });
