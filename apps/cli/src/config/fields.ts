import { usageError } from '../cli-error.ts';
import { isProfileField, PROFILE_FIELDS } from './profiles.ts';
import type { ProfileField } from './profiles.ts';

export const FIELDS: readonly string[] = Object.keys(PROFILE_FIELDS);

export function fieldOf(name: string): ProfileField {
  if (isProfileField(name)) return name;
  throw usageError(`Unknown field "${name}".`, `Fields are ${FIELDS.join(', ')}.`);
}
