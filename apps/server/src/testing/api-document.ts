import { Ajv2020 } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

export interface MediaType {
  readonly schema?: Json;
  /** How the fields of a form are encoded, by name. */
  readonly encoding?: Readonly<Record<string, { readonly style?: string }>>;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}

interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

export interface ApiDocument {
  readonly json: Json;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Why a value is invalid for its schema in the document; undefined if it is valid. */
  readonly mismatch: (pointer: readonly string[], value: unknown) => string | undefined;
}

/** The OpenAPI document of a running server, with a validator for each of its schemas. */
export async function apiDocument(url: string): Promise<ApiDocument> {
  const json = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(json, 'openapi');
  const operations = new Map<string, Operation>();
  const paths = json['paths'] as Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(operation.operationId, { ...operation, method, path });
    }
  }
  return {
    json,
    operations,
    mismatch(pointer, value) {
      const reference = pointer
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.getSchema(`openapi#/${reference}`);
      if (!validate) return `The document has nothing at ${pointer.join(' > ')}.`;
      return validate(value) === true ? undefined : ajv.errorsText(validate.errors);
    },
  };
}
