import * as z from 'zod';
import type { TextOrTokens } from '../types/text-or-tokens.ts';

export interface TextOrTokensLimits {
  /** Texts, or arrays of token IDs. */
  readonly items: number;
  /** Maximum length of one text, in UTF-16 code units. */
  readonly textLength: number;
  /** Maximum length of all texts together. */
  readonly totalLength: number;
  /** Maximum number of token IDs of one array. */
  readonly tokens: number;
  /** Maximum number of token IDs of all arrays. */
  readonly totalTokens: number;
  /** Whether a text may be empty. */
  readonly emptyText: boolean;
}

/** The largest token ID: the maximum of a signed 32-bit integer. */
const maxTokenId = 2 ** 31 - 1;

type Issues = z.core.ParsePayload['issues'];

/**
 * A text, texts, token IDs, or arrays of token IDs. Validated in one pass that stops at the first problem: a union of the four forms would
 * parse a list of a million numbers four times.
 */
export function textOrTokens(limits: TextOrTokensLimits): z.ZodType<TextOrTokens, TextOrTokens>;
export function textOrTokens(limits: TextOrTokensLimits): z.ZodType {
  return z
    .unknown()
    .check(({ value, issues }) => checkValue(value, limits, issues))
    .meta({ anyOf: jsonSchemas(limits) });
}

function jsonSchemas({ items, tokens, emptyText }: TextOrTokensLimits): readonly object[] {
  const text = { type: 'string', ...(!emptyText && { minLength: 1 }) };
  const tokenIds = {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: maxTokenId },
    minItems: 1,
    maxItems: tokens,
  };
  return [
    text,
    { type: 'array', items: text, minItems: 1, maxItems: items },
    tokenIds,
    { type: 'array', items: tokenIds, minItems: 1, maxItems: items },
  ];
}

function checkValue(value: unknown, limits: TextOrTokensLimits, issues: Issues): void {
  if (typeof value === 'string') {
    checkText(value, [], limits, issues);
    return;
  }
  if (!isList(value)) {
    for (const expected of ['string', 'array']) issues.push({ code: 'invalid_type', expected, input: value, path: [] });
    return;
  }
  const [first] = value;
  if (typeof first === 'number') {
    checkTokens(value, [], limits.tokens, issues);
    return;
  }
  if (!checkCount(value, [], limits.items, issues)) return;
  let total = 0;
  const tokens = isList(first);
  for (const [index, item] of value.entries()) {
    if (tokens) {
      if (!checkTokens(item, [index], limits.tokens, issues)) return;
    } else if (!checkText(item, [index], limits, issues)) return;
    total += isList(item) || typeof item === 'string' ? item.length : 0;
  }
  if (tokens && total > limits.totalTokens) {
    reportExcess(issues, value, `at most ${limits.totalTokens} token IDs in all arrays together`);
  } else if (!tokens && total > limits.totalLength) {
    reportExcess(issues, value, `at most ${limits.totalLength} characters in all texts together`);
  }
}

function reportExcess(issues: Issues, input: unknown, message: string): void {
  issues.push({ code: 'custom', message, input, path: [] });
}

function checkText(value: unknown, path: number[], limits: TextOrTokensLimits, issues: Issues): boolean {
  if (typeof value !== 'string') issues.push({ code: 'invalid_type', expected: 'string', input: value, path });
  else if (!limits.emptyText && value === '') {
    issues.push({ code: 'too_small', origin: 'string', minimum: 1, inclusive: true, input: value, path });
  } else if (value.length > limits.textLength) {
    issues.push({
      code: 'too_big',
      origin: 'string',
      maximum: limits.textLength,
      inclusive: true,
      input: value,
      path,
    });
  }
  return issues.length === 0;
}

function checkTokens(value: unknown, path: number[], max: number, issues: Issues): boolean {
  if (!isList(value)) {
    issues.push({ code: 'invalid_type', expected: 'array', input: value, path });
    return false;
  }
  if (!checkCount(value, path, max, issues)) return false;
  for (const [index, token] of value.entries()) {
    const itemPath = [...path, index];
    if (typeof token !== 'number' || !Number.isInteger(token)) {
      issues.push({ code: 'invalid_type', expected: 'int', input: token, path: itemPath });
    } else if (token < 0) {
      issues.push({ code: 'too_small', origin: 'int', minimum: 0, inclusive: true, input: token, path: itemPath });
    } else if (token > maxTokenId) {
      issues.push({
        code: 'too_big',
        origin: 'int',
        maximum: maxTokenId,
        inclusive: true,
        input: token,
        path: itemPath,
      });
    } else continue;
    return false;
  }
  return true;
}

function checkCount(value: readonly unknown[], path: number[], max: number, issues: Issues): boolean {
  if (value.length === 0) {
    issues.push({ code: 'too_small', origin: 'array', minimum: 1, inclusive: true, input: value, path });
  } else if (value.length > max) {
    issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value, path });
  }
  return issues.length === 0;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
