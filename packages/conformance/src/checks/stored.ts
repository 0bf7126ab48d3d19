import type { Check } from '../check.ts';
import { storedListChecks } from './stored/list.ts';
import { storedMessageChecks } from './stored/messages.ts';
import { storedObjectChecks } from './stored/object.ts';

/** Stored completions: list, retrieve, update, delete, and their messages. */
export const storedChecks: readonly Check[] = [...storedListChecks, ...storedObjectChecks, ...storedMessageChecks];
