/** What is wrong with a value, and where. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of any library that follows Standard Schema v1 (zod from 3.24, Valibot, ArkType and others): it validates. Those
 * that follow Standard JSON Schema v1 too (zod from 4.2, ArkType from 2.1.28) say by `jsonSchema` what to send.
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

/** What a schema takes. */
export type InferInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];
/** What a schema makes of it. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** A JSON text held against a schema: its value as the schema gives it, or why there is none. */
export async function readJson(schema: StandardSchema, text: string): Promise<SchemaResult<unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { issues: [{ message: text === '' ? 'There is no text.' : 'The text is not JSON.' }] };
  }
  try {
    return await schema['~standard'].validate(value);
  } catch (error) {
    // A transform that throws is no schema's answer, but the value is none either.
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
}

/** One line for people and models: `location: Required; unit: …`. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => {
      const place = path?.map((step) => String(typeof step === 'object' ? step.key : step)).join('.') ?? '';
      return place === '' ? message : `${place}: ${message}`;
    })
    .join('; ');
}
