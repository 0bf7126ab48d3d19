import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Category } from '../src/categories.ts';
import { csv } from './csv.ts';
import { isForReport, unlike } from './parts.ts';

/** A set that nothing was trained on. */
export interface HeldOut {
  readonly name: string;
  readonly texts: readonly { readonly text: string; readonly shows: Partial<Record<Category | 'any', boolean>> }[];
}

const openaiNames: Readonly<Record<string, Category>> = {
  S: 'sexual',
  H: 'hate',
  V: 'violence',
  HR: 'harassment',
  SH: 'self-harm',
  S3: 'sexual/minors',
  H2: 'hate/threatening',
  V2: 'violence/graphic',
};

/** The evaluation set of the paper on undesired content: one half by hash to develop with, the other to report. */
/** The sets to report. Of those whose even parts are learned from, the odd parts, less what resembles the even ones. */
export function heldOut(data: string): HeldOut[] {
  const halved = [openai(data), surge(data)].map(({ name, texts }) => {
    const learned = texts.filter(({ text }) => !isForReport(text)).map(({ text }) => text);
    const kept = texts.filter(({ text }) => isForReport(text));
    return { name: `${name} (held-out half)`, texts: unlike(kept, learned, ({ text }) => text) };
  });
  return [...halved, ...unseen(data)];
}

/** What may be looked at while rules and thresholds are made. */
export function development(data: string): HeldOut[] {
  return [openai(data), surge(data), ...unseen(data)].map(({ name, texts }) => ({
    name,
    texts: texts.filter(({ text }) => !isForReport(text)),
  }));
}

export function openai(data: string): HeldOut {
  const lines = readFileSync(join(data, 'openai-moderation.jsonl'), 'utf8').split('\n');
  const texts = lines
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line) as Readonly<Record<string, string | number>>;
      const shows: HeldOut['texts'][number]['shows'] = { any: Object.values(row).includes(1) };
      for (const [name, category] of Object.entries(openaiNames)) if (name in row) shows[category] = row[name] === 1;
      return { text: String(row['prompt']), shows };
    });
  return { name: 'openai moderation', texts };
}

function unseen(data: string): HeldOut[] {
  const file = (name: string) => join(data, name);
  return [
    {
      name: 'ethos',
      texts: csv(file('ethos.csv'), ';').map(({ comment = '', isHate }) => ({
        text: comment,
        shows: { hate: Number(isHate) >= 0.5 },
      })),
    },
    {
      name: 'twitter suicidal',
      texts: csv(file('twitter-suicidal.csv')).map(({ tweet = '', intention }) => ({
        text: tweet,
        shows: { 'self-harm': intention === '1', 'self-harm/intent': intention === '1' },
      })),
    },
    {
      name: 'xstest',
      texts: csv(file('xstest.csv')).map(({ prompt = '', label }) => ({
        text: prompt,
        shows: { any: label === 'unsafe', illicit: label === 'unsafe' },
      })),
    },
    {
      name: 'harmbench + xstest safe',
      texts: [
        ...csv(file('harmbench.csv'))
          .filter(({ SemanticCategory = '' }) => /illegal|chemical|cybercrime/.test(SemanticCategory))
          .map(({ Behavior = '', SemanticCategory = '' }) => ({
            text: Behavior,
            shows: { illicit: true, any: true, ...(/chem/.test(SemanticCategory) ? { 'illicit/violent': true } : {}) },
          })),
        ...csv(file('xstest.csv'))
          .filter(({ label }) => label === 'safe')
          .map(({ prompt = '' }) => ({
            text: prompt,
            shows: { illicit: false, any: false, 'illicit/violent': false },
          })),
      ],
    },
    {
      name: 'strongreject',
      texts: csv(file('strongreject.csv')).map(({ forbidden_prompt = '', category }) => ({
        text: forbidden_prompt,
        shows: {
          any: true,
          illicit: category === 'Illegal goods and services' || category === 'Non-violent crimes',
          sexual: category === 'Sexual content',
          hate: category?.startsWith('Hate') === true,
          violence: category === 'Violence',
        },
      })),
    },
    {
      name: 'simple safety tests',
      texts: csv(file('sst.csv')).map(({ prompts_final = '', harm_area = '' }) => ({
        text: prompts_final,
        shows: {
          any: true,
          'self-harm': harm_area.startsWith('Suicide'),
          'sexual/minors': harm_area.startsWith('Child'),
        },
      })),
    },
  ];
}

export function surge(data: string): HeldOut {
  const rows = csv(join(data, 'surge-toxicity.csv'));
  return {
    name: 'surge toxicity',
    texts: rows.map(({ text = '', is_toxic }) => ({
      text,
      shows: { harassment: is_toxic === 'Toxic', any: is_toxic === 'Toxic' },
    })),
  };
}
