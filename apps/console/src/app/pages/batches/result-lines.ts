import { fieldOf, listOf, parseJson } from '../../api/parsed-json.ts';

/** One line of an output or error file, as the table of results shows it. */
export interface ResultLine {
  readonly customId: string;
  readonly status: number | undefined;
  readonly failed: boolean;
  /** The message of the error, or the beginning of the reply. */
  readonly text: string;
}

const maxTextCharacters = 300;

/** Parses JSON Lines. If `isTruncated`, the last line is omitted, since it may be incomplete. */
export function parseResultLines(text: string, isTruncated: boolean): readonly ResultLine[] {
  const lines = text.split('\n');
  if (isTruncated) lines.pop();
  return lines.filter((line) => line.trim() !== '').map(parseLine);
}

function parseLine(line: string): ResultLine {
  const value = parseJson(line);
  const response = fieldOf(value, 'response');
  const body = fieldOf(response, 'body');
  const error = fieldOf(value, 'error') ?? fieldOf(body, 'error');
  const status = fieldOf(response, 'status_code');
  const message = fieldOf(error, 'message');
  const customId = fieldOf(value, 'custom_id');
  const failed = message !== undefined || (typeof status === 'number' && status >= 400);
  return {
    customId: typeof customId === 'string' ? customId : '–',
    status: typeof status === 'number' ? status : undefined,
    failed,
    text: (typeof message === 'string' ? message : replyText(body)).slice(0, maxTextCharacters),
  };
}

function replyText(body: unknown): string {
  const content = fieldOf(fieldOf(listOf(fieldOf(body, 'choices'))[0], 'message'), 'content');
  if (typeof content === 'string') return content;
  return JSON.stringify(body ?? null).slice(0, maxTextCharacters);
}
