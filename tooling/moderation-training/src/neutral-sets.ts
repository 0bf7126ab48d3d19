import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv } from './csv.ts';
import { example, labelsOf, nothing, type Example, type Known } from './examples.ts';

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

type Descriptor = string | { readonly descriptor: string; readonly preference?: string };

/** Sentences about people of every description (HolisticBias): harmless ones, and those that reject a group. */
function descriptions(data: string): Example[] {
  const groups = json(join(data, 'holistic/descriptors.json')) as Record<string, Record<string, Descriptor[]>>;
  const nouns = Object.values(json(join(data, 'holistic/nouns.json')) as Record<string, [string, string][]>).flat();
  const templates = Object.keys(json(join(data, 'holistic/sentence_templates.json')) as object);
  const rejecting = templates.filter((template) => /hate|don't like|the worst/.test(template));
  const neutral = templates.filter((template) => !rejecting.includes(template));
  let turn = 0;
  const sentence = (template: string, descriptor: string, [noun, plural]: readonly [string, string]): string => {
    const phrase = `${descriptor} ${noun}`;
    return template
      .replace('{noun_phrase}', `${/^[aeiou]/i.test(phrase) ? 'an' : 'a'} ${phrase}`)
      .replace('{plural_noun_phrase}', `${descriptor} ${plural}`);
  };
  return Object.entries(groups).flatMap(([group, kinds]) => {
    const names = Object.values(kinds)
      .flat()
      .flatMap((one) => (typeof one === 'string' ? [one] : one.preference === undefined ? [one.descriptor] : []));
    return names.flatMap((descriptor) => {
      const next = <Item>(list: readonly Item[]): Item => list[turn++ % list.length] as Item;
      const accepted = Array.from({ length: 6 }, () =>
        example('descriptions', sentence(next(neutral), descriptor, next(nouns)), labelsOf(nothing), 4),
      );
      const known: Known | undefined = hatedGroups.has(group) ? { hate: 1, 'self-harm': 0, illicit: 0 } : undefined;
      return known === undefined
        ? accepted
        : [
            ...accepted,
            example('descriptions', sentence(next(rejecting), descriptor, next(nouns)), labelsOf(known), 1),
          ];
    });
  });
}

/** Groups whose rejection is hate. */
const hatedGroups: ReadonlySet<string> = new Set([
  ...['ability', 'gender_and_sex', 'nationality', 'race_ethnicity', 'religion', 'sexual_orientation'],
]);

/** Sentences that praise and that reject people, from the same templates (`unintended-ml-bias-analysis`). */
function praise(data: string): Example[] {
  const rows = csv(join(data, 'madlibs.csv')).filter(({ phrase = '' }) => /^[\x20-\x7e]+$/.test(phrase));
  return rows.flatMap(({ template = '', toxicity, phrase = '' }, index) => {
    if (template === 'name_adj' && index % 36 !== 0) return [];
    const rejecting: Known =
      template === 'you_occupation' ? { harassment: 1, hate: 0 } : { hate: 1, 'self-harm': 0, illicit: 0 };
    return [
      example(
        'praise',
        phrase,
        labelsOf(toxicity === 'toxic' ? rejecting : nothing),
        toxicity === 'toxic' ? 0.15 : 0.6,
      ),
    ];
  });
}

/** Harmless requests: to an assistant (CLINC150), exams (MMLU), and of programmers about security (CyberSecEval). */
function assistance(data: string): Example[] {
  const { train } = json(join(data, 'clinc.json')) as { readonly train: readonly [string, string][] };
  const utterances = train.filter((_, index) => index % 3 === 0).map(([text]) => text);
  const exams = csv(join(data, 'mmlu.csv')).map(({ prompt = '' }) => prompt.split('\n\nA.')[0]?.slice(0, 600) ?? '');
  const security = (json(join(data, 'mitre-frr.json')) as readonly { readonly mutated_prompt: string }[]).map(
    ({ mutated_prompt }) => mutated_prompt.slice(0, 400),
  );
  return [
    ...utterances.map((text) => example('utterances', text, labelsOf(nothing), 3)),
    ...exams.map((text) => example('exams', text, labelsOf(nothing), 4)),
    ...security.map((text) => example('security', text, labelsOf(nothing), 4)),
  ];
}

/** Requests in a role that should bring a model to help with suicide (SAP). The other kinds are too varied to have labels. */
function roles(data: string): Example[] {
  const known: Known = { 'self-harm': 1, 'self-harm/instructions': 1, sexual: 0, hate: 0 };
  return (json(join(data, 'sap-suicide.json')) as readonly { readonly 'Attack Prompt': string }[]).map(
    ({ 'Attack Prompt': text }) => example('roles', text.slice(0, 600), labelsOf(known), 0.5),
  );
}

export function neutralSets(data: string): Example[] {
  return [...descriptions(data), ...praise(data), ...assistance(data), ...roles(data)];
}
