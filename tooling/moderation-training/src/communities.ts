import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean, example, labelsOf, type Example } from './examples.ts';

/** A text and its annotations, as HateXplain and the Contextual Abuse Dataset store them. */
export type Labelled = readonly [text: string, label: string];

export function labelled(path: string): Labelled[] {
  return JSON.parse(readFileSync(path, 'utf8')) as Labelled[];
}

/** A post of the Gab Hate Corpus: an attack on human dignity, a call for violence, vulgar language. */
export interface GabPost {
  readonly text: string;
  readonly hd: string;
  readonly cv: string;
  readonly vo: string;
}

export function gabPosts(path: string): GabPost[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as GabPost)
    .filter(({ hd }) => hd === '0' || hd === '1');
}

/** Placeholders such as `<user>` for removed text. */
export const withoutMarkers = (text: string): string =>
  clean(text)
    .replace(
      /<(user|number|percent|url|time|date|money|censored|phone|email|emoji|sad|happy|laugh|kiss|surprise|wink|annoyed|angel|tong|heart|sadness|allcaps|hashtag|repeated|elongated)>/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Posts of Twitter, Gab and Reddit with labels for hate. */
export function communities(data: string): Example[] {
  const file = (...names: string[]) => join(data, ...names);
  const hatexplain = ['train', 'val'].flatMap((name) =>
    labelled(file('hatexplain', `${name}.json`)).map(([text, label]) => {
      const plain = withoutMarkers(text);
      if (label === 'hatespeech')
        return example('hatexplain', plain, labelsOf({ hate: 1, 'self-harm': 0, illicit: 0 }));
      // Offensive to some does not mean not hateful.
      if (label === 'offensive') return example('hatexplain', plain, labelsOf({ 'self-harm': 0, illicit: 0 }), 0.3);
      return example('hatexplain', plain, labelsOf({ hate: 0, 'self-harm': 0, illicit: 0 }), 0.7);
    }),
  );
  const gab = gabPosts(file('ghc', 'train.jsonl')).map(({ text, hd, cv, vo }) => {
    const plain = withoutMarkers(text);
    const call = cv === '1';
    if (hd === '1' || call)
      return example(
        'gab',
        plain,
        labelsOf({
          ...(hd === '1' ? { hate: 1 } : {}),
          ...(call ? { violence: 1 } : {}),
          ...(call && hd === '1' ? { 'hate/threatening': 1 } : {}),
          'self-harm': 0,
        }),
      );
    return vo === '1'
      ? example('gab', plain, labelsOf({ hate: 0, 'self-harm': 0, illicit: 0 }), 0.3)
      : example('gab', plain, labelsOf({ hate: 0, 'self-harm': 0, illicit: 0, violence: 0, sexual: 0 }), 0.4);
  });
  const cad = ['train', 'val'].flatMap((name) =>
    labelled(file('cad', `${name}.json`)).map(([text, label]) => {
      const hateful = label === 'hatespeech';
      return example(
        'cad',
        clean(text).slice(0, 1500),
        labelsOf({ hate: hateful ? 1 : 0, illicit: 0 }),
        hateful ? 1 : 0.4,
      );
    }),
  );
  return [...hatexplain, ...gab, ...cad];
}
