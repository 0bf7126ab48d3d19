import type { Check } from '../check.ts';
import { responseObjectChecks } from './responses/object.ts';
import { responseParameterChecks } from './responses/parameters.ts';
import { responseRefusalChecks } from './responses/refusals.ts';
import { storedResponseChecks } from './responses/stored.ts';
import { responseStreamChecks } from './responses/streams.ts';

/** Responses: created, streamed, stored and continued. */
export const responseChecks: readonly Check[] = [
  ...responseObjectChecks,
  ...responseParameterChecks,
  ...responseRefusalChecks,
  ...responseStreamChecks,
  ...storedResponseChecks,
];
