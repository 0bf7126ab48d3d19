import { integer } from '../fields/field.ts';

/** How long a secret is used after its rotation. */
export const graceSeconds = (description: string) =>
  integer({ min: 0, max: 2_592_000 }).optional().meta({ description, default: 0 });
