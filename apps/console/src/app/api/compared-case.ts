import { fieldOf, listOf, parseJson } from './parsed-json.ts';

/** A reply in a case of a comparison. */
export interface ComparedReply {
  readonly model: string;
  readonly text: string;
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly durationMs: number | undefined;
}

/** Why a case has no reply, or no score. */
export interface CaseError {
  readonly error: string;
}

interface ComparedMessage {
  readonly role: string;
  readonly text: string;
}

interface CaseScores {
  readonly baseline: number;
  readonly candidate: number;
}

/** A case of a comparison: a request of the dataset with both replies. */
export interface ComparedCase {
  readonly id: string;
  readonly difference: string;
  readonly messages: readonly ComparedMessage[];
  readonly baseline: ComparedReply | CaseError;
  readonly candidate: ComparedReply | CaseError;
  /** In the order of the scorers. Undefined where the scorer had nothing to score. */
  readonly scores: readonly (CaseScores | CaseError | undefined)[];
}

/** Parses lines of the file of cases. Lines that are no case are left out. */
export function parseCases(text: string): readonly ComparedCase[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    const id = textOf(value, 'id');
    if (id === undefined) return [];
    return [
      {
        id,
        difference: textOf(value, 'difference') ?? '',
        messages: listOf(fieldOf(value, 'messages')).map((message) => ({
          role: textOf(message, 'role') ?? '',
          text: contentText(fieldOf(message, 'content')),
        })),
        baseline: parseReply(fieldOf(value, 'baseline')),
        candidate: parseReply(fieldOf(value, 'candidate')),
        scores: listOf(fieldOf(value, 'scores')).map(parseScores),
      },
    ];
  });
}

function parseReply(value: unknown): ComparedReply | CaseError {
  const text = textOf(value, 'text');
  if (text === undefined) return parseError(value) ?? { error: 'There is no reply.' };
  return {
    text,
    model: textOf(value, 'model') ?? '',
    tokens: numberOf(fieldOf(value, 'usage'), 'completion_tokens'),
    cost: numberOf(value, 'cost'),
    durationMs: numberOf(value, 'duration_ms'),
  };
}

function parseScores(value: unknown): CaseScores | CaseError | undefined {
  const [baseline, candidate] = [numberOf(value, 'baseline'), numberOf(value, 'candidate')];
  return baseline === undefined || candidate === undefined ? parseError(value) : { baseline, candidate };
}

function parseError(value: unknown): CaseError | undefined {
  const message = textOf(fieldOf(value, 'error'), 'message');
  return message === undefined ? undefined : { error: message };
}

/** The text of a message. Parts that are not text are named by their type. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => textOf(part, 'text') ?? `[${textOf(part, 'type') ?? 'part'}]`)
    .join('\n');
}

function textOf(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : undefined;
}

function numberOf(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === 'number' ? field : undefined;
}
