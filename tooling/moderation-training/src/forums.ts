import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutMarkers } from './communities.ts';
import { csv } from './csv.ts';
import { example, labelsOf, type Example, type Known } from './examples.ts';

/** Rows of a tab-separated file without quotes. */
export function tabbed(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

const other: Known = { 'self-harm': 0, illicit: 0 };

/** Posts of extremist groups: explicit, implied, and not hate. */
function implicitHate(data: string): Example[] {
  const kinds = new Map(
    tabbed(join(data, 'implicit-hate-2.tsv')).map(([text = '', kind, second]) => [text, [kind, second]]),
  );
  return tabbed(join(data, 'implicit-hate-1.tsv')).map(([text = '', label = '']) => {
    const plain = withoutMarkers(text.replace(/["“”\s]+/g, ' ').trim());
    if (label === 'not_hate') return example('implicit', plain, labelsOf({ ...other, hate: 0 }), 0.4);
    const found = kinds.get(text) ?? [];
    const threat = found.includes('threatening');
    // Incitement may be to violence; the others do not call for it.
    const known = label === 'implicit_hate' && found.length > 0 && !found.includes('incitement');
    return example(
      'implicit',
      plain,
      labelsOf({
        ...other,
        hate: 1,
        ...(threat ? { violence: 1, 'hate/threatening': 1 } : known ? { violence: 0, 'hate/threatening': 0 } : {}),
      }),
      label === 'explicit_hate' ? 1 : 0.5,
    );
  });
}

/** Sentences of a white supremacist forum. */
function stormfront(data: string): Example[] {
  return tabbed(join(data, 'stormfront.tsv')).map(([text = '', label]) =>
    example('stormfront', text, labelsOf({ ...other, hate: label === '1' ? 1 : 0 }), label === '1' ? 1 : 0.4),
  );
}

/** Comments on news with annotated toxic parts and their kind. */
function civilComments(data: string): Example[] {
  const kinds = Map.groupBy(csv(join(data, 'civil-spans.csv')), ({ annotation = '' }) => annotation);
  const ratings = Map.groupBy(csv(join(data, 'civil-annotations.csv')), ({ comment_id = '' }) => comment_id);
  return csv(join(data, 'civil-comments.csv')).flatMap(({ comment_id = '', comment_text = '' }) => {
    const rated = ratings.get(comment_id) ?? [];
    if (rated.length === 0) return [];
    const share = (kind?: string): number =>
      rated.filter(({ annotation = '' }) =>
        (kinds.get(annotation) ?? []).some(({ type }) => kind === undefined || type === kind),
      ).length / rated.length;
    // Labels with disagreement are unknown.
    const known = (value: number, least: number): 0 | 1 | undefined =>
      value >= least ? 1 : value === 0 ? 0 : undefined;
    const hate = known(share('Identity based Attack'), 0.5);
    const violence = known(share('Threat'), 0.5);
    const insult = share('Insult');
    return [
      example(
        'civil',
        comment_text,
        labelsOf({
          ...other,
          ...(hate === undefined ? {} : { hate }),
          ...(violence === undefined ? {} : { violence }),
          ...(insult > 0.6 ? { harassment: 1 } : share() < 0.2 ? { harassment: 0 } : {}),
        }),
        0.4,
      ),
    ];
  });
}

/** Labelled posts and comments of forums. */
export function forums(data: string): Example[] {
  return [...implicitHate(data), ...stormfront(data), ...civilComments(data)];
}
