import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Fields } from './fields.ts';
import type { OperationFields, Operations } from './operations.ts';

/** Where the names and values of the API are found, the Messages API in its own SDK. Each has a committed copy of them. */
type FactsSource = 'document' | 'sdk' | 'messages';

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

/** What is committed of the public document and of the types of the official SDKs. */
export function readFacts(): Readonly<Record<FactsSource, Facts>> {
  return { document: read('document'), sdk: read('sdk'), messages: read('messages') };
}

/** Where the facts are from. */
export const sourceOf = ({ document, sdk, messages }: Readonly<Record<FactsSource, Facts>>): string =>
  `${document.source}; npm ${sdk.source}; npm ${messages.source}`;

/** What any of them had at the last release of this server; before the first, at the date in `source`. */
export const readReleaseFacts = (): Facts => read('release');

/** What any of them has. */
export function publicOperations(facts: Readonly<Record<FactsSource, Facts>>): Operations {
  const all = Object.values(facts).map(({ operations }) => operations);
  return Object.fromEntries(
    [...new Set(all.flatMap(Object.keys))].toSorted().map((name) => {
      const found = all.flatMap((operations) => operations[name] ?? []);
      const operation: OperationFields = {
        query: union(found.map(({ query }) => query)),
        request: union(found.map(({ request }) => request)),
        response: union(found.map(({ response }) => response)),
        event: union(found.map(({ event }) => event)),
      };
      return [name, operation];
    }),
  );
}

function union(all: readonly Fields[]): Fields {
  const paths = new Set(all.flatMap(Object.keys));
  return Object.fromEntries(
    [...paths].map((path) => [path, [...new Set(all.flatMap((fields) => fields[path] ?? []))]]),
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
