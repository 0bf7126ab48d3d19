import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';

/** The files that training reads, by their contents without any text. */
const emptySets = {
  '': [
    ...['davidson.csv', 'edos.csv', 'jigsaw-sample.csv', 'toxigen/hate.txt', 'hatecheck.csv', 'hatemoji-train.csv'],
    ...[
      'hatemoji-validation.csv',
      'hatemoji-test.csv',
      'ghc/train.jsonl',
      'implicit-hate-1.tsv',
      'implicit-hate-2.tsv',
    ],
    ...['stormfront.tsv', 'civil-comments.csv', 'civil-annotations.csv', 'civil-spans.csv', 'ailuminate.csv'],
    ...['advbench.csv', 'c-ssrs.csv', 'profanity.csv', 'sms.csv', 'goemotions.tsv', 'tldr/pages/common/tar.md'],
    ...['aart.csv', 'harmless.jsonl', 'openai-moderation.jsonl', 'surge-toxicity.csv'],
    ...['arena-hard.jsonl', 'gsm8k.jsonl', 'ambigqa.csv', 'p3/stories.jsonl', 'madlibs.csv', 'mmlu.csv'],
  ],
  '[]': [
    ...['hatexplain/train.json', 'hatexplain/val.json', 'cad/train.json', 'cad/val.json'],
    ...['mitre-frr.json', 'sap-suicide.json'],
  ],
  '{}': ['catqa.json', 'holistic/descriptors.json', 'holistic/nouns.json', 'holistic/sentence_templates.json'],
  '{ "train": [] }': ['clinc.json'],
  '[]\n': ['word-vectors.bin'],
};

test('trains on the sentences of this package when all data sets are empty', { timeout: 60_000 }, async () => {
  const data = temporaryFolder();
  for (const [contents, files] of Object.entries(emptySets))
    for (const file of files) {
      await mkdir(dirname(join(data, file)), { recursive: true });
      await writeFile(join(data, file), contents);
    }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/train.ts', data, 'trial'], {
    cwd: join(import.meta.dirname, '..'),
  });
  // Measured on the tenth that is not trained.
  for (const category of ['hate', 'self-harm', 'illicit'])
    expect(stdout).toMatch(new RegExp(`^${category} \\| all (0\\.9|1)`, 'm'));
});
