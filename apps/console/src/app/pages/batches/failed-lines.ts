import { fieldOf, parseJson } from '../../api/parsed-json.ts';

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

const customIdOf = (line: string): unknown => fieldOf(parseJson(line), 'custom_id');

/** The lines of an input file whose requests are in an error file. @param model The model that they get; empty for their own. */
export function failedLines(input: string, errors: string, model: string): string {
  const failed = new Set<unknown>(
    linesOf(errors)
      .map(customIdOf)
      .filter((id) => id !== undefined),
  );
  return linesOf(input)
    .filter((line) => failed.has(customIdOf(line)))
    .map((line) => `${model === '' ? line : withModel(line, model)}\n`)
    .join('');
}

/** A JSON text as names with their colon, strings, brackets, commas, and what is between them. */
const tokenPattern = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],]|[^"{}[\],]+/g;

/** A line with another model in its body. The other text is not changed: parsed integers would lose digits. */
function withModel(line: string, model: string): string {
  let depth = 0;
  const names: unknown[] = [];
  return line.replace(tokenPattern, (token) => {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token.endsWith(':') && token.startsWith('"')) names[depth] = parseJson(token.slice(0, -1));
    else if (depth === 2 && names[1] === 'body' && names[2] === 'model' && token.startsWith('"')) {
      return JSON.stringify(model);
    }
    return token;
  });
}
