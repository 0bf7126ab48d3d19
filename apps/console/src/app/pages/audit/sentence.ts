import type { AuditLog } from '@modelwire/client';
import type { Names } from '../../api/names.ts';
import { formatNumber, formatTime } from '../../components/format.ts';
import { formatAmount } from '../budgets/amounts.ts';

/** A part of a sentence: a word, or a name with the ID that it stands for. */
export interface SentencePart {
  readonly text: string;
  readonly id?: string;
}

type NameLookup = Pick<Names, 'nameOf' | 'budgetOf'>;

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'changed',
  archived: 'archived',
  rotated: 'replaced the secret of',
  reset: 'reset',
};

/** An entry as a sentence, such as "Ana created the key ci in the project Shop". */
export function sentenceOf(entry: AuditLog, names: NameLookup): readonly SentencePart[] {
  const [kind = '', action = ''] = entry.type.split('.');
  const named = (id: string): SentencePart => ({ text: names.nameOf(id), id });
  const { actor, project } = entry;
  const verb = action === 'deleted' ? (kind === 'api_key' ? 'revoked' : 'deleted') : (verbs[action] ?? action);
  const isInProject = kind !== 'project' && kind !== 'budget' && project !== null;
  const isSignIn = kind === 'login';
  const object =
    kind === 'budget' ? budgetParts(entry, names) : [{ text: `the ${noun(kind)} ` }, named(entry.resource_id)];
  return [
    actorPart(actor, names),
    ...(isSignIn ? [{ text: ' signed in' }] : [{ text: ` ${verb} ` }, ...object]),
    ...(isInProject ? [{ text: ` ${isSignIn ? 'to' : 'in'} the project ` }, named(project.id)] : []),
  ];
}

/** The key or the person that made a change. */
export function actorPart({ api_key: key, session }: AuditLog['actor'], { nameOf }: NameLookup): SentencePart {
  if (session) return { text: session.user.name, id: session.user.id };
  return key ? { text: nameOf(key.id), id: key.id } : { text: 'A command on the server' };
}

const noun = (kind: string): string => (kind === 'api_key' ? 'key' : kind.replaceAll('_', ' '));

/** Budgets have no name: "the monthly cost budget of Shop". One that was deleted is known by its project alone. */
function budgetParts({ resource_id, changes, project }: AuditLog, { nameOf, budgetOf }: NameLookup): SentencePart[] {
  const budget = budgetOf(resource_id);
  const texts = [budget?.period ?? changes['period'], budget?.unit ?? changes['unit']];
  const kind = texts
    .filter((text) => typeof text === 'string')
    .map((text) => (text === 'day' ? 'daily' : text === 'month' ? 'monthly' : text));
  const subject = [budget?.subject, changes['project_id'], changes['api_key_id'], project?.id].find(
    (id) => typeof id === 'string',
  );
  const of = subject === undefined ? [] : [{ text: ' of ' }, { text: nameOf(subject), id: subject }];
  return [
    { text: `${kind.length > 0 ? 'the' : 'a'} ` },
    { text: [...kind, 'budget'].join(' '), id: resource_id },
    ...of,
  ];
}

/** Fields that the sentence already has. */
const inSentence = new Set(['id', 'project_id', 'api_key_id', 'period', 'unit']);

/** The fields that were set, such as "requests per minute: 300". */
export function changedFields(entry: AuditLog, { budgetOf }: NameLookup, currency: string | null | undefined): string {
  const unit = budgetOf(entry.resource_id)?.unit ?? textOf(entry.changes['unit']);
  const isCreated = entry.type.endsWith('.created');
  return Object.entries(entry.changes)
    .filter(([name]) => !inSentence.has(name) && !(isCreated && name === 'name'))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(name, value, unit, currency)}`)
    .join(', ');
}

function valueText(name: string, value: unknown, unit: string, currency: string | null | undefined): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'number') return textOf(value).replaceAll('_', ' ');
  if (name.endsWith('_at')) return formatTime(value);
  return name.endsWith('_limit') && unit !== '' ? formatAmount(unit, value, currency) : formatNumber(value);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
