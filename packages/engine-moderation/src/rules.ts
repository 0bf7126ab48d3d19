import { classes } from './lexicon.ts';
import { indexOf, type PatternIndex } from './patterns.ts';
import { abuseRules } from './rules/abuse.ts';
import { crimeRules } from './rules/crime.ts';
import { selfHarmRules } from './rules/self-harm.ts';
import { sexualRules } from './rules/sexual.ts';
import { violenceRules } from './rules/violence.ts';
import type { Rule } from './rules/rule.ts';

/** The rules by their first words. */
export const rules: PatternIndex<Rule> = indexOf(
  [...violenceRules, ...abuseRules, ...selfHarmRules, ...sexualRules, ...crimeRules],
  classes,
);
