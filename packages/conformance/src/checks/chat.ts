import type { Check } from '../check.ts';

export const chatChecks: readonly Check[] = [];
