import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { O200K_TOKEN_SPLIT_REGEX as words } from 'gpt-tokenizer/encodingParams/constants';
import { GptEncoding } from 'gpt-tokenizer/GptEncoding';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { readProblems, writeInstance } from './maskbench.ts';
import type { TokenizedProblem, Vocabulary } from './outcome.ts';

const noSpecialTokens = { disallowedSpecial: new Set<string>() };

/** Writes every `every`th problem of MaskBench with its instances as o200k tokens, one a line. Returns their number. */
export function writeProblems(folder: string, every: number, path: string): number {
  const encoding = GptEncoding.getEncodingApi('o200k_base', () => ranks);
  const file = openSync(path, 'w');
  let count = 0;
  for (const { id, schema, tests } of readProblems(folder, every)) {
    const problem: TokenizedProblem = {
      id,
      schema,
      tests: tests.map(({ valid, data }) => ({ valid, tokens: encoding.encode(writeInstance(data), noSpecialTokens) })),
    };
    writeSync(file, `${JSON.stringify(problem)}\n`);
    count++;
  }
  closeSync(file);
  return count;
}

/** Writes the text tokens of o200k. */
export function writeVocabulary(path: string): void {
  const tokens = ranks.map((token) => Buffer.from(token).toString('base64'));
  writeFileSync(path, JSON.stringify({ tokens, pattern: words.source } satisfies Vocabulary));
}
