import * as z from 'zod';
import { contract } from '@modelwire/schema';
import { requestJsonSchema } from '@modelwire/schema/internal';
import { fieldsOf, isRecord } from './fields.ts';
import type { Fields } from './fields.ts';

/** The fields of an operation, by where they are. */
export interface OperationFields {
  readonly query: Fields;
  readonly request: Fields;
  readonly response: Fields;
  readonly event: Fields;
}

/** By method and path, such as `GET /files/{}`. */
export type Operations = Readonly<Record<string, OperationFields>>;

/** What this repository serves. */
export function ownOperations(): Operations {
  return Object.fromEntries(
    Object.values(contract).map(({ route, query, request, response, event }) => {
      const [body] = request;
      const files = body?.type === 'multipart/form-data' ? body.files.map(({ name }) => [name, []] as const) : [];
      return [
        operationName(route.method, route.path),
        {
          query: fieldsOf(requestJsonSchema(query)),
          request: { ...(body && fieldsOf(requestJsonSchema(body.schema))), ...Object.fromEntries(files) },
          response: response.type === 'application/json' ? outputFields(response.schema) : {},
          event: event ? outputFields(event) : {},
        },
      ];
    }),
  );
}

const outputFields = (schema: z.ZodType): Fields => fieldsOf(z.toJSONSchema(schema, { io: 'output' }));

/** The operations of an OpenAPI document. */
export function operationsIn(document: unknown): Operations {
  const operations: [string, OperationFields][] = [];
  for (const [path, methods] of entries(child(document, 'paths'))) {
    for (const [method, operation] of entries(methods)) {
      if (!/^(get|post|put|patch|delete)$/.test(method)) continue;
      const ok = entries(child(operation, 'responses')).find(([status]) => status.startsWith('2'))?.[1];
      const schemaOf = (parent: unknown, type: string): Fields =>
        fieldsOf(child(child(child(parent, 'content'), type), 'schema'), document);
      const body = child(operation, 'requestBody');
      operations.push([
        operationName(method, path),
        {
          query: queryFields(child(operation, 'parameters'), document),
          request: { ...schemaOf(body, 'multipart/form-data'), ...schemaOf(body, 'application/json') },
          response: schemaOf(ok, 'application/json'),
          event: schemaOf(ok, 'text/event-stream'),
        },
      ]);
    }
  }
  return Object.fromEntries(operations.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function queryFields(parameters: unknown, document: unknown): Fields {
  const properties = (Array.isArray(parameters) ? (parameters as unknown[]) : [])
    .filter((parameter) => child(parameter, 'in') === 'query')
    .map((parameter) => [String(child(parameter, 'name')).replace('[]', ''), child(parameter, 'schema')]);
  return fieldsOf({ properties: Object.fromEntries(properties) as Record<string, unknown> }, document);
}

function operationName(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

function child(node: unknown, name: string): unknown {
  return isRecord(node) ? node[name] : undefined;
}

function entries(node: unknown): [string, unknown][] {
  return isRecord(node) ? Object.entries(node) : [];
}
