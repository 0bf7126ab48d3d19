import { fieldOf, parseJson } from '../../api/parsed-json.ts';

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** The lines of an input file whose requests are in an error file. @param model The model that they get; empty for their own. */
export function failedLines(input: string, errors: string, model: string): string {
  const failed = new Set(linesOf(errors).map((line) => fieldOf(parseJson(line), 'custom_id')));
  return linesOf(input)
    .map(parseJson)
    .filter((line) => typeof line === 'object' && failed.has(fieldOf(line, 'custom_id')))
    .map((line) => {
      const body = fieldOf(line, 'body');
      const changed = model !== '' && typeof body === 'object' ? { body: { ...body, model } } : {};
      return `${JSON.stringify({ ...Object(line), ...changed })}\n`;
    })
    .join('');
}
