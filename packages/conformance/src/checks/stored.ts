import type { Check } from '../check.ts';
import { storedListChecks } from './stored/list.ts';
import { storedMessageChecks } from './stored/messages.ts';
import { storedObjectChecks } from './stored/object.ts';
import { resumeChecks } from './stored/resume.ts';

/** Stored completions: list, retrieve, update, delete, their messages, and resumable streams. */
export const storedChecks: readonly Check[] = [
  ...storedListChecks,
  ...storedObjectChecks,
  ...storedMessageChecks,
  ...resumeChecks,
];
