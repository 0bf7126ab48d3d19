import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { operationsIn } from './operations.ts';
import type { Operations } from './operations.ts';

export const factsFile = new URL('facts.json', import.meta.url);

const factsSchema = z.object({
  /** Which public document it is. */
  source: z.string(),
  /** Different sets of fields, to which the operations refer by index: many operations share one. */
  fields: z.array(z.record(z.string(), z.array(z.string()))),
  operations: z.record(
    z.string(),
    z.object({ query: z.int(), request: z.int(), response: z.int(), event: z.int() }).partial(),
  ),
});

/** The committed names and values of the public document. */
export function readFacts(): { readonly source: string; readonly operations: Operations } {
  const { source, fields, operations } = factsSchema.parse(JSON.parse(readFileSync(factsFile, 'utf8')));
  const at = (index: number | undefined) => (index === undefined ? {} : (fields[index] ?? {}));
  return {
    source,
    operations: Object.fromEntries(
      Object.entries(operations).map(([name, { query, request, response, event }]) => [
        name,
        { query: at(query), request: at(request), response: at(response), event: at(event) },
      ]),
    ),
  };
}

/** The text of the facts in a public document, JSON or YAML. @param served Operations whose fields are compared; of others, the name is enough. */
export function factsOf(document: string, source: string, served: Operations): string {
  const fields: string[] = [];
  const indexOf = (some: object): number | undefined => {
    if (Object.keys(some).length === 0) return undefined;
    const text = JSON.stringify(some);
    return fields.includes(text) ? fields.indexOf(text) : fields.push(text) - 1;
  };
  const operations = Object.entries(operationsIn(parse(document))).map(
    ([name, { query, request, response, event }]) => {
      if (!(name in served)) return `${JSON.stringify(name)}: {}`;
      const indexes = {
        query: indexOf(query),
        request: indexOf(request),
        response: indexOf(response),
        event: indexOf(event),
      };
      return `${JSON.stringify(name)}: ${JSON.stringify(indexes)}`;
    },
  );
  return `{
"source": ${JSON.stringify(source)},
"fields": [
${fields.join(',\n')}
],
"operations": {
${operations.join(',\n')}
}
}
`;
}
