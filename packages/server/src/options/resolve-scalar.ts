import { optionDefinitions } from './definitions.ts';
import type { OptionDefinition } from './definitions.ts';
import type { ScalarOptions } from './scalar.ts';

type Definitions = typeof optionDefinitions;

/** `ScalarOptions` with defaults. Options without a default may be undefined. */
export type ResolvedScalarOptions = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends { readonly default: unknown }
    ? NonNullable<ScalarOptions[Name]>
    : ScalarOptions[Name] | undefined;
};

/** Validates the plain options and fills in defaults. @throws TypeError that names the invalid option. */
export function resolveScalarOptions(options: ScalarOptions): ResolvedScalarOptions {
  const definitions: readonly (readonly [string, OptionDefinition])[] = Object.entries(optionDefinitions);
  const values = new Map<string, unknown>(Object.entries(options));
  return Object.fromEntries(
    definitions.map(([name, definition]) => {
      const value = values.get(name) ?? definition.default;
      if (value !== undefined) assertValid(name, definition, value);
      return [name, value];
    }),
  ) as ResolvedScalarOptions;
}

function assertValid(name: string, definition: OptionDefinition, value: unknown): void {
  const expected = expectation(definition, value);
  if (expected !== undefined) throw new TypeError(`${name} must be ${expected}, not ${String(value)}`);
}

/** The expected value, if the value is invalid. */
function expectation(definition: OptionDefinition, value: unknown): string | undefined {
  switch (definition.type) {
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= definition.minimum
        ? undefined
        : `an integer of at least ${definition.minimum}`;
    case 'integerOrAuto':
      return value === 'auto' || expectation({ ...definition, type: 'integer', default: 1 }, value) === undefined
        ? undefined
        : `an integer of at least ${definition.minimum} or 'auto'`;
    case 'enum':
      return typeof value === 'string' && definition.values.includes(value)
        ? undefined
        : `one of ${definition.values.join(', ')}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'string':
      return typeof value === 'string' && value !== '' ? undefined : 'a non-empty string';
  }
}
