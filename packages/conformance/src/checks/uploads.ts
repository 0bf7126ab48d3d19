import type { Check } from '../check.ts';
import { uploadCompleteChecks } from './uploads/complete.ts';
import { uploadCreateChecks } from './uploads/create.ts';
import { uploadEndChecks } from './uploads/ends.ts';

/** Uploads: create, add parts, complete and cancel. */
export const uploadChecks: readonly Check[] = [...uploadCreateChecks, ...uploadCompleteChecks, ...uploadEndChecks];
