import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnOf, subcategoryPairs, type Category } from '@modelwire/engine-moderation/testing';
import { communities } from './communities.ts';
import { csv } from './csv.ts';
import { expand } from './expand.ts';
import { forums, tabbed } from './forums.ts';
import { neutralSets } from './neutral-sets.ts';
import { requests } from './requests.ts';
import { clean, example, labelsOf, nothing, type Example, type Known } from './examples.ts';
import { harmful, type LabelledTemplates } from './phrases/harmful.ts';
import { ordinary } from './phrases/ordinary.ts';
import { names, otherLanguages, people, shortMessages } from './phrases/people.ts';
import { harmlesslyRequested, requested } from './phrases/requested.ts';

/** Sentences of this package. */
export function ownSentences(): Example[] {
  return sentences('written', harmful, ordinary);
}

function sentences(from: string, templates: readonly LabelledTemplates[], harmless: readonly string[]): Example[] {
  const positives = templates.flatMap(({ shows, unsure = [], lines }) => {
    const labels = labelsOf({ ...nothing, ...Object.fromEntries(shows.map((category) => [category, 1])) });
    for (const category of unsure) labels[columnOf[category]] = -1;
    for (const [child, parent] of subcategoryPairs) if (labels[columnOf[child]] === 1) labels[columnOf[parent]] = 1;
    return lines.flatMap((line) => expand(line, 24).map((text) => example(from, text, labels)));
  });
  const negatives = harmless.flatMap((line) =>
    expand(line, 24).map((text) => example(from, text, labelsOf(nothing), 4)),
  );
  return [...positives, ...negatives];
}

/** Training sets, each a file of the folder `data` (README.md lists the sources); each text once. */
export function training(data: string): Example[] {
  const file = (name: string) => join(data, name);
  const davidson = csv(file('davidson.csv')).map(({ tweet = '', class: kind }) => {
    const text = clean(tweet);
    const insults =
      /\b(you|u|your|ur|you're)\b.{0,20}\b(bitch|hoe|cunt|faggot|fag|retard|pussy|idiot|dumb|ugly|stupid|whore|slut)/i.test(
        text,
      );
    if (kind === '0') return example('davidson', text, labelsOf({ hate: 1, 'self-harm': 0, illicit: 0 }));
    if (kind === '1')
      return example(
        'davidson',
        text,
        labelsOf({ hate: 0, 'self-harm': 0, illicit: 0, ...(insults ? { harassment: 1 } : {}) }),
        0.1,
      );
    return example('davidson', text, labelsOf({ ...nothing }));
  });
  const edos = csv(file('edos.csv')).map(({ text = '', label_sexist, label_vector = '' }) => {
    const known: Known = { 'self-harm': 0, illicit: 0 };
    if (label_sexist !== 'sexist') return example('edos', clean(text), labelsOf({ ...known, hate: 0 }), 0.1);
    const threat = label_vector.startsWith('1.');
    return example(
      'edos',
      clean(text),
      labelsOf({
        ...known,
        hate: 1,
        'hate/threatening': threat ? 1 : 0,
        ...(threat ? { violence: 1 } : /^(2\.1|3|4\.2)/.test(label_vector) ? { violence: 0 } : {}),
        ...(/^(3\.1|2\.2)/.test(label_vector) ? { harassment: 1 } : {}),
        ...(label_vector.startsWith('1.1') ? { 'harassment/threatening': 1 } : {}),
      }),
      0.5,
    );
  });
  const jigsaw = readFileSync(file('jigsaw-sample.csv'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, text = '', toxic] = /^(.*),([01])\s*$/.exec(line) ?? [];
      if (toxic === undefined) return [];
      return [
        example(
          'jigsaw',
          text.replace(/^"+|"+$/g, ''),
          toxic === '1' ? labelsOf({ harassment: 1, 'self-harm/instructions': 0, illicit: 0 }) : labelsOf(nothing),
        ),
      ];
    });
  const toxigen = readdirSync(file('toxigen')).flatMap((name) => {
    const text = readFileSync(join(file('toxigen'), name), 'utf8');
    const lines = new Set(text.split(/\\n|\n/).map((line) => line.replace(/^\s*-\s*/, '').trim()));
    return [...lines]
      .filter((line) => line.length > 15)
      .map((line) =>
        example(
          'toxigen',
          line,
          labelsOf(name.startsWith('hate') ? { hate: 1, sexual: 0, 'self-harm': 0, illicit: 0 } : nothing),
        ),
      );
  });
  const hatecheck = csv(file('hatecheck.csv')).map(({ test_case = '', label_gold, functionality = '' }) => {
    const threat = functionality.startsWith('threat');
    return example(
      'hatecheck',
      test_case,
      label_gold === 'hateful'
        ? labelsOf({
            hate: 1,
            'hate/threatening': threat ? 1 : 0,
            ...(threat ? { violence: 1 } : /^(derog|slur|negate|profanity)/.test(functionality) ? { violence: 0 } : {}),
            'self-harm': 0,
            sexual: 0,
            illicit: 0,
          })
        : labelsOf({
            hate: 0,
            'self-harm': 0,
            sexual: 0,
            illicit: 0,
            ...(functionality === 'target_indiv_nh' ? { harassment: 1 } : {}),
          }),
    );
  });
  const hatemoji = ['train', 'validation', 'test'].flatMap((name) =>
    csv(file(`hatemoji-${name}.csv`))
      .filter(({ set }) => set === 'original')
      .map(({ text = '', label_gold, type }) => {
        const threat = type === 'threateninglanguage';
        return example(
          'hatemoji',
          text,
          label_gold === '1'
            ? labelsOf({
                hate: 1,
                'hate/threatening': threat ? 1 : 0,
                'self-harm': 0,
                illicit: 0,
                ...(threat ? { violence: 1 } : type === 'derogation' || type === 'animosity' ? { violence: 0 } : {}),
              })
            : labelsOf({ hate: 0, 'self-harm': 0, illicit: 0 }),
        );
      }),
  );
  // Labels are per user: the model searches for the window that shows them.
  const cssrs = csv(file('c-ssrs.csv')).flatMap(({ Post = '', Label = '' }) => {
    if (/Ideation|Behavior|Attempt/.test(Label))
      return [example('c-ssrs', Post, labelsOf({ 'self-harm/intent': 1, hate: 0, sexual: 0, illicit: 0 }))];
    return Label === 'Supportive'
      ? [example('c-ssrs', Post, labelsOf({ 'self-harm/intent': 0, 'self-harm/instructions': 0 }))]
      : [];
  });
  const openai = readFileSync(file('openai-moderation.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line) as Readonly<Record<string, string | number>>;
      const known: Known = {};
      for (const [name, category] of Object.entries(openaiNames))
        if (name in row) known[category] = row[name] === 1 ? 1 : 0;
      return example('openai', String(row['prompt']), labelsOf(known), 10);
    });
  const surge = csv(file('surge-toxicity.csv')).map(({ text = '', is_toxic }) =>
    example(
      'surge',
      text,
      is_toxic === 'Toxic' ? labelsOf({ harassment: 1, 'self-harm': 0, illicit: 0 }) : labelsOf(nothing),
      1.5,
    ),
  );
  const hazards: Readonly<Record<string, Known>> = {
    vcr: { illicit: 1, 'illicit/violent': 1, violence: 1 },
    iwp: { illicit: 1, 'illicit/violent': 1 },
    ncr: { illicit: 1, 'illicit/violent': 0, sexual: 0, 'self-harm': 0 },
    cse: { 'sexual/minors': 1, 'self-harm': 0 },
    src: { illicit: 1, 'self-harm': 0 },
    ssh: { 'self-harm': 1, sexual: 0, hate: 0 },
    hte: { hate: 1, sexual: 0, 'self-harm': 0 },
    sxc_prn: { sexual: 1, 'self-harm': 0 },
    spc_lgl: nothing,
    spc_hlt: nothing,
    spc_fin: nothing,
    ipv: { illicit: 1, 'illicit/violent': 0, sexual: 0, 'self-harm': 0, violence: 0 },
    dfm: { sexual: 0, 'self-harm': 0, violence: 0 },
    prv: { sexual: 0, 'self-harm': 0, violence: 0 },
  };
  const ailuminate = csv(file('ailuminate.csv')).flatMap(({ prompt_text = '', hazard = '' }) => {
    const known = hazards[hazard];
    return known === undefined ? [] : [example('ailuminate', prompt_text, labelsOf(known), 0.7)];
  });
  const advbench = csv(file('advbench.csv')).map(({ goal = '' }) =>
    example('advbench', goal, labelsOf({ illicit: 1, sexual: 0 })),
  );
  // Terms alone, so that words without a sentence are known: severity 1 is mild and left out.
  const terms: Readonly<Record<string, Known>> = {
    'sexual anatomy / sexual acts': { sexual: 1 },
    'racial / ethnic slurs': { hate: 1 },
    'sexual orientation / gender': { hate: 1 },
    'religious offense': { hate: 1 },
    'mental disability': { harassment: 1 },
    'other / general insult': { harassment: 1 },
  };
  const profanity = csv(file('profanity.csv')).flatMap(({ text = '', category_1 = '', severity_rating }) => {
    const known = terms[category_1];
    return known === undefined || Number(severity_rating) < 1.8
      ? []
      : [example('profanity', text, labelsOf(known), 0.7)];
  });
  const sms = csv(file('sms.csv'))
    .filter(({ v1 }) => v1 === 'ham')
    .map(({ v2 = '' }) => example('sms', v2, labelsOf({ ...nothing }), 0.7));
  const feelings = new Set(['0', '1', '4', '5', '6', '7', '8', '13', '15', '16', '17', '18', '20', '21', '23', '26']);
  const comments = tabbed(file('goemotions.tsv'));
  const goemotions = comments.flatMap(([text = '', label = '']) =>
    feelings.has(label) ? [example('goemotions', text, labelsOf(nothing), 0.6)] : [],
  );
  const unemotional = comments.flatMap(([text = '', label]) =>
    label === '27' ? [example('goemotions', text, labelsOf(nothing), 0.4)] : [],
  );
  const tldr = readdirSync(join(file('tldr'), 'pages/common')).flatMap((name) => {
    const lines = readFileSync(join(file('tldr'), 'pages/common', name), 'utf8').split('\n');
    return lines
      .filter((line) => /^[->] (?!More information)/.test(line))
      .map((line) => example('tldr', line.slice(2).replace(/:$/, ''), labelsOf(nothing), 0.5));
  });
  const examples = [
    ...ownSentences(),
    ...davidson,
    ...edos,
    ...jigsaw,
    ...toxigen,
    ...hatecheck,
    ...ailuminate,
    ...openai,
    ...surge,
    ...hatemoji,
    ...communities(data),
    ...forums(data),
    ...cssrs,
    ...advbench,
    ...profanity,
    ...sms,
    ...sample(goemotions, 16_000),
    ...sample(unemotional, 8000),
    ...sample(tldr, 5000),
    ...requests(data),
    ...neutralSets(data),
    ...sentences('requested', requested, harmlesslyRequested),
    ...[...people, ...shortMessages, ...names, ...otherLanguages].flatMap((line) =>
      expand(line, 150).map((text) => example('people', text, labelsOf(nothing), 4)),
    ),
  ].filter(({ text }) => text.length > 1);
  return [...new Map(examples.map((one) => [one.text, one])).values()];
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

/** Every n-th, deterministically. */
function sample<Item>(items: readonly Item[], size: number): Item[] {
  return items.filter((_, i) => Math.floor(((i + 1) * size) / items.length) > Math.floor((i * size) / items.length));
}
