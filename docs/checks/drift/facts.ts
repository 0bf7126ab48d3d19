import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Fields } from './fields.ts';
import type { OperationFields, Operations } from './operations.ts';

/** Where the names and values of the API are found. Each has a committed copy of them. */
export type FactsSource = 'document' | 'sdk';

export const factsFile = (of: FactsSource | 'release'): URL => new URL(`facts/${of}.json`, import.meta.url);

const factsSchema = z.object({
  /** Which document or package it is. */
  source: z.string(),
  /** Different sets of fields, to which the operations refer by index: many operations share one. */
  fields: z.array(z.record(z.string(), z.array(z.string()))),
  operations: z.record(
    z.string(),
    z.object({ query: z.int(), request: z.int(), response: z.int(), event: z.int() }).partial(),
  ),
});

interface Facts {
  readonly source: string;
  readonly operations: Operations;
}

/** What is committed of the public document and of the types of the official SDK. */
export function readFacts(): Readonly<Record<FactsSource, Facts>> {
  return { document: read('document'), sdk: read('sdk') };
}

/** What either of the two had at the last release of this server; before the first, at the date in `source`. */
export const readReleaseFacts = (): Facts => read('release');

/** What either of the two has. */
export function publicOperations({ document, sdk }: Readonly<Record<FactsSource, Facts>>): Operations {
  const names = new Set([...Object.keys(document.operations), ...Object.keys(sdk.operations)]);
  return Object.fromEntries(
    [...names].toSorted().map((name) => {
      const [one = nothing, other = nothing] = [document.operations[name], sdk.operations[name]];
      const operation: OperationFields = {
        query: union(one.query, other.query),
        request: union(one.request, other.request),
        response: union(one.response, other.response),
        event: union(one.event, other.event),
      };
      return [name, operation];
    }),
  );
}

const nothing: OperationFields = { query: {}, request: {}, response: {}, event: {} };

function union(one: Fields, other: Fields): Fields {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...paths].map((path) => [path, [...new Set([...(one[path] ?? []), ...(other[path] ?? [])])]]),
  );
}

function read(of: FactsSource | 'release'): Facts {
  const { source, fields, operations } = factsSchema.parse(JSON.parse(readFileSync(factsFile(of), 'utf8')));
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

/** The text of the facts. @param served Operations whose fields are compared; of others, the name is enough. */
export function factsOf(found: Operations, source: string, served: Operations): string {
  const fields: string[] = [];
  const indexOf = (some: object): number | undefined => {
    if (Object.keys(some).length === 0) return undefined;
    const text = JSON.stringify(some);
    return fields.includes(text) ? fields.indexOf(text) : fields.push(text) - 1;
  };
  const operations = Object.entries(found).map(([name, { query, request, response, event }]) => {
    if (!(name in served)) return `${JSON.stringify(name)}: {}`;
    const indexes = {
      query: indexOf(query),
      request: indexOf(request),
      response: indexOf(response),
      event: indexOf(event),
    };
    return `${JSON.stringify(name)}: ${JSON.stringify(indexes)}`;
  });
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
