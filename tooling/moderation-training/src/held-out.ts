import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Category } from '@modelwire/engine-moderation/testing';
import { gabPosts, labelled, withoutMarkers } from './communities.ts';
import { csv } from './csv.ts';
import { clean } from './examples.ts';
import { isForReport, unlike } from './parts.ts';

/** A set outside the training. */
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

/** The sets to report. For sets whose even parts are in the training: the odd parts, without those similar to even ones. */
export function heldOut(data: string): HeldOut[] {
  const halved = [openai(data), surge(data)].map(({ name, texts }) => {
    const trainingTexts = texts.filter(({ text }) => !isForReport(text)).map(({ text }) => text);
    const reportTexts = texts.filter(({ text }) => isForReport(text));
    return { name: `${name} (held-out half)`, texts: unlike(reportTexts, trainingTexts, ({ text }) => text) };
  });
  return [...halved, ...unseen(data), ...testSplits(data)];
}

/** Sets that may be used while rules and thresholds are developed. */
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
      name: 'ethos (multi-label)',
      texts: csv(file('ethos-multi.csv'), ';').map(({ comment = '', violence }) => ({
        text: comment,
        shows: { violence: Number(violence) >= 0.5 },
      })),
    },
    convAbuse(['train', 'valid', 'test'].map((name) => file(`convabuse-${name}.csv`))),
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

/** Test splits of sets whose other splits are in the training: they show learning, not generalization. */
function testSplits(data: string): HeldOut[] {
  const hateful = (label: string) => label === 'hatespeech';
  return [
    {
      name: 'hatexplain (test split)',
      // Offensive is neither.
      texts: labelled(join(data, 'hatexplain', 'test.json'))
        .filter(([, label]) => label !== 'offensive')
        .map(([text, label]) => ({ text: withoutMarkers(text), shows: { hate: hateful(label) } })),
    },
    {
      name: 'gab hate corpus (test split)',
      texts: gabPosts(join(data, 'ghc', 'test.jsonl')).map(({ text, hd, cv }) => ({
        text: withoutMarkers(text),
        shows: { hate: hd === '1', violence: cv === '1' },
      })),
    },
    {
      name: 'contextual abuse (test split)',
      texts: labelled(join(data, 'cad', 'test.json')).map(([text, label]) => ({
        text: clean(text),
        shows: { hate: hateful(label) },
      })),
    },
  ];
}

/** Messages to two chatbots; the majority of annotators decides. */
function convAbuse(paths: readonly string[]): HeldOut {
  return {
    name: 'convabuse',
    texts: paths
      .flatMap((path) => csv(path))
      .map((row) => {
        const share = (...kinds: string[]): number => {
          let yes = 0;
          let asked = 0;
          for (let annotator = 1; annotator <= 8; annotator++) {
            const name = (kind: string) => row[`Annotator${annotator}_${kind}`] ?? '';
            if (!levels.some((level) => Number(name(level)) === 1)) continue;
            asked++;
            if (kinds.some((kind) => Number(name(kind)) === 1)) yes++;
          }
          return asked === 0 ? 0 : yes / asked;
        };
        return {
          text: row['user'] ?? '',
          shows: {
            harassment: share('is_abuse.-1', 'is_abuse.-2', 'is_abuse.-3') > 0.5,
            hate: share('ableist', 'homophobic', 'racist', 'sexist', 'transphobic') > 0.5,
            sexual: share('sex_harassment') > 0.5,
          },
        };
      }),
  };
}

const levels = ['is_abuse.1', 'is_abuse.0', 'is_abuse.-1', 'is_abuse.-2', 'is_abuse.-3'];

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
