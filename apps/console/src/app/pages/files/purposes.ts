import type { FilePurpose } from '@modelwire/client';

/** Purposes that clients can use. */
export const purposes: readonly FilePurpose[] = ['batch', 'user_data', 'vision', 'assistants', 'fine-tune', 'evals'];

/** Purposes of files that the server creates. */
export const createdPurposes: readonly string[] = ['batch_output'];
