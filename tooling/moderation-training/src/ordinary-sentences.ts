import { readFileSync } from 'node:fs';
import { expand } from './expand.ts';
import { selfDescriptions as selfDescriptionTemplates } from './phrases/self-descriptions.ts';

const linesOf = (file: string): readonly string[] =>
  readFileSync(new URL(`sentences/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** Ordinary sentences with risky words. None is in the training set. */
export const ordinarySentences = linesOf('ordinary.txt');

/**
 * The same, by an author who had seen neither the rules nor the other tests. Initially, three of the four hundred were flagged
 * (README of the package).
 */
export const blindSentences = linesOf('blind.txt');

/**
 * Plain sentences: greetings, people of many groups, news, medicine, idioms, questions. The first half was written before this kind of training
 * sentences, the second half before the weights.
 */
export const plainSentences = linesOf('plain.txt');

/** What is denied, condemned or exaggerated. Words alone do not tell it from what is meant. */
export const negations = linesOf('negations.txt');

/** Names of things, people and properties, alone. */
export const singleWords = linesOf('words.txt');

/** What people say about themselves, in ten languages. */
export const selfDescriptions = selfDescriptionTemplates.flatMap((template) => expand(template, 24));
