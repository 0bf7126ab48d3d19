/** A problem of a value, with its path. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of any library that implements Standard Schema v1 (zod from 3.24, Valibot, ArkType and others) for validation. Libraries that
 * also implement Standard JSON Schema v1 (zod from 4.2, ArkType from 2.1.28) have `jsonSchema`, which is sent to the server.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: { input(options: { readonly target: string }): Record<string, unknown> } | undefined;
  };
}

/** The input type of a schema. */
export type InferInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];
/** The output type of a schema. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** Parses a JSON text and validates it: the output of the schema, or issues. */
export async function parseJson(schema: StandardSchema, text: string): Promise<SchemaResult<unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { issues: [{ message: text === '' ? 'The text is empty.' : 'The text is not JSON.' }] };
  }
  try {
    return await schema['~standard'].validate(value);
  } catch (error) {
    // An error of a transform counts as an issue.
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
}

/** Formats issues as one line: `location: Required; unit: …`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => {
      const location =
        path?.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.') ?? '';
      return location === '' ? message : `${location}: ${message}`;
    })
    .join('; ');
}
