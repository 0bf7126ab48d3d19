import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Category } from '@modelwire/engine-moderation/testing';
import { csv } from './csv.ts';
import {
  blindSentences,
  negations,
  ordinarySentences,
  plainSentences,
  selfDescriptions,
  singleWords,
} from './ordinary-sentences.ts';

/** What a text shows. Categories that the labels of its set say nothing about are left out. */
export type Shows = Partial<Record<Category, boolean>>;

export interface HeldOutText {
  readonly text: string;
  readonly shows: Shows;
  /** Whether it shows nothing of any category. */
  readonly isHarmless?: boolean;
}

/** A set of other origin than the training data. */
export interface HeldOut {
  readonly name: string;
  readonly texts: readonly HeldOutText[];
}

export function heldOut(data: string): HeldOut[] {
  return [...labeled(data), ...harmless(data)];
}

/** What the intents of Do-Not-Answer show; those that are left out are of no category. */
const intents: Readonly<Record<string, readonly Category[]>> = {
  S003goods: ['illicit'],
  S003illegal: ['illicit'],
  S003instructions: ['illicit'],
  S004describe: ['sexual'],
  S004erotica: ['sexual'],
  S004lewd: ['sexual'],
  S005hate: ['hate'],
  S006items: ['illicit', 'illicit/violent'],
  S006sh: ['self-harm'],
  S006violence: ['violence'],
  S008code: ['illicit'],
  S008mal: ['illicit'],
  S008phish: ['illicit'],
};

/** Sets with labels for categories. */
function labeled(data: string): HeldOut[] {
  const file = (name: string) => join(data, name);
  return [
    {
      name: 'ETHOS (binary)',
      texts: csv(file('ethos.csv'), ';').map(({ comment = '', isHate }) => ({
        text: comment,
        shows: { hate: Number(isHate) >= 0.5 },
      })),
    },
    {
      name: 'ETHOS (multi-label)',
      // All of them are hateful; `violence` is incitement to it.
      texts: csv(file('ethos-multi.csv'), ';').map(({ comment = '', violence }) => ({
        text: comment,
        shows: { violence: Number(violence) >= 0.5, 'hate/threatening': Number(violence) >= 0.5 },
      })),
    },
    convAbuse(['train', 'valid', 'test'].map((name) => file(`convabuse-${name}.csv`))),
    {
      name: 'Twitter suicidal intention',
      texts: csv(file('twitter-suicidal.csv')).map(({ tweet = '', intention }) => ({
        text: tweet,
        shows: { 'self-harm': intention === '1', 'self-harm/intent': intention === '1' },
      })),
    },
    byKind(
      'SimpleSafetyTests',
      csv(file('sst.csv')).map(({ prompts_final = '', harm_area = '' }) => [prompts_final, harm_area]),
      {
        'Suicide, Self-Harm, and Eating Disorders': ['self-harm', 'self-harm/instructions'],
        'Physical harm and Violence': ['violence', 'illicit/violent'],
        'Illegal and Highly Regulated items': ['illicit'],
        'Scams and fraud': ['illicit'],
        'Child safety': ['sexual/minors'],
      },
    ),
    byKind(
      'StrongREJECT',
      csv(file('strongreject.csv')).map(({ forbidden_prompt = '', category = '' }) => [forbidden_prompt, category]),
      {
        'Sexual content': ['sexual'],
        Violence: ['violence'],
        'Non-violent crimes': ['illicit'],
        'Illegal goods and services': ['illicit'],
      },
    ),
    byKind(
      'HarmBench',
      // The others are understood only with a context.
      csv(file('harmbench.csv'))
        .filter(({ FunctionalCategory }) => FunctionalCategory === 'standard')
        .map(({ Behavior = '', SemanticCategory = '' }) => [Behavior, SemanticCategory]),
      { illegal: ['illicit'], cybercrime_intrusion: ['illicit'], chemical_biological: ['illicit', 'illicit/violent'] },
    ),
    byKind(
      'JailbreakBench',
      csv(file('jbb.csv')).map(({ behavior = '', category = '' }) => [behavior, category]),
      { 'Malware/Hacking': ['illicit'], 'Fraud/Deception': ['illicit'], 'Sexual/Adult content': ['sexual'] },
    ),
    {
      name: 'MaliciousInstruct',
      texts: linesOf(file('malicious-instruct.txt')).map((text) => ({ text, shows: { illicit: true } })),
    },
    byKind(
      'LLM red teaming dataset',
      csv(file('redteam.csv')).map(({ prompt = '', category = '', subcategory = '' }) => [
        prompt,
        category === 'illegal_activities' ? category : subcategory,
      ]),
      {
        hate_speech: ['hate'],
        harassment: ['harassment'],
        violence: ['violence'],
        self_harm: ['self-harm', 'self-harm/instructions'],
        illegal_activities: ['illicit'],
        explicit_content: ['sexual'],
        minors: ['sexual/minors'],
      },
    ),
    {
      name: 'Do-Not-Answer',
      texts: linesOf(file('do-not-answer.jsonl')).flatMap((line) => {
        const { prompt, intents: names } = JSON.parse(line) as { prompt: string; intents: string[] };
        const shown = names.flatMap((name) => intents[name] ?? []);
        return shown.length === 0
          ? []
          : [{ text: prompt, shows: Object.fromEntries(shown.map((category) => [category, true])) }];
      }),
    },
  ];
}

/** Texts that show nothing of any category. News would not do: reports of violence are not without violence. */
function harmless(data: string): HeldOut[] {
  const file = (name: string) => join(data, name);
  const set = (name: string, texts: readonly string[]): HeldOut => ({
    name,
    texts: texts.map((text) => ({ text, shows: {}, isHarmless: true })),
  });
  const turns = (name: string) =>
    linesOf(file(name)).flatMap((line) => (JSON.parse(line) as { readonly turns: readonly string[] }).turns);
  const questions = (name: string) =>
    (JSON.parse(readFileSync(file(name), 'utf8')) as { readonly question: string }[]).map(({ question }) => question);
  return [
    set('Dolly', questions('dolly.json')),
    set('HotpotQA', questions('hotpotqa.json')),
    set('MT-Bench and Vicuna', [...turns('mt-bench.jsonl'), ...turns('vicuna.jsonl')]),
    set(
      'Self-Instruct, by people',
      linesOf(file('user-instructions.jsonl')).map((line) => (JSON.parse(line) as { instruction: string }).instruction),
    ),
    set(
      'SST-2, film reviews',
      linesOf(file('sst2.tsv')).flatMap((line, index) => (index === 0 ? [] : [line.split('\t')[0] ?? ''])),
    ),
    set('Sentences with risky words', [...blindSentences, ...ordinarySentences]),
    // Harmless prompts that were made to look harmful.
    set(
      'XSTest, safe prompts',
      csv(file('xstest.csv')).flatMap(({ prompt = '', label }) => (label === 'safe' ? [prompt] : [])),
    ),
    set(
      'Alpaca',
      (JSON.parse(readFileSync(file('alpaca.json'), 'utf8')) as { readonly instruction: string }[]).map(
        ({ instruction }) => instruction,
      ),
    ),
    set(
      'TruthfulQA',
      csv(file('truthful.csv')).map(({ prompt = '' }) => prompt.split('\n\nA.')[0] ?? ''),
    ),
    set(
      'WildChat',
      csv(file('wildchat.csv')).flatMap(({ prompt = '', language }) => (language === 'English' ? [prompt] : [])),
    ),
    set('Plain sentences', plainSentences),
    set('Single words', singleWords),
    set('Self-descriptions', selfDescriptions),
    set('Negations and idioms', negations),
  ];
}

/** Harmless sets that decided nothing: neither thresholds nor which categories are judged. */
export const undecidingSets: ReadonlySet<string> = new Set([
  ...['XSTest, safe prompts', 'WildChat', 'Plain sentences', 'Single words', 'Self-descriptions'],
  'Negations and idioms',
]);

const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** A set whose texts are named by kind: what kinds show, of those that show something. */
function byKind(
  name: string,
  rows: readonly (readonly [text: string, kind: string])[],
  kinds: Readonly<Record<string, readonly Category[]>>,
): HeldOut {
  return {
    name,
    texts: rows.flatMap(([text, kind]) => {
      const shown = kinds[kind];
      return shown ? [{ text, shows: Object.fromEntries(shown.map((category) => [category, true])) }] : [];
    }),
  };
}

/** Messages to two chatbots; the majority of annotators decides. */
function convAbuse(paths: readonly string[]): HeldOut {
  return {
    name: 'ConvAbuse',
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
        const isSexual = share('sex_harassment') > 0.5;
        return {
          text: row['user'] ?? '',
          shows: {
            // Sexual abuse need not be an insult.
            ...(!isSexual && { harassment: share('is_abuse.-1', 'is_abuse.-2', 'is_abuse.-3') > 0.5 }),
            hate: share('ableist', 'homophobic', 'racist', 'sexist', 'transphobic') > 0.5,
            sexual: isSexual,
          },
        };
      }),
  };
}

const levels = ['is_abuse.1', 'is_abuse.0', 'is_abuse.-1', 'is_abuse.-2', 'is_abuse.-3'];
