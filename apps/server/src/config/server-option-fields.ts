import { optionDefinitions } from '@modelwire/server/internal';
import type { OptionDefinition } from '@modelwire/server/internal';
import * as z from 'zod';

type Definitions = typeof optionDefinitions;

/** Options that are not configurable: the server app serves unversioned paths and has its own version. */
type FixedOption = 'unversionedPaths' | 'version';
const fixedOptions: readonly string[] = ['unversionedPaths', 'version'] satisfies readonly FixedOption[];

type Field<Definition> = Definition extends { readonly type: 'integer' }
  ? z.ZodOptional<z.ZodInt>
  : Definition extends { readonly type: 'integerOrAuto' }
    ? z.ZodOptional<z.ZodUnion<[z.ZodInt, z.ZodLiteral<'auto'>]>>
    : Definition extends { readonly values: readonly (infer Value extends string)[] }
      ? z.ZodOptional<z.ZodEnum<{ [Name in Value]: Name }>>
      : Definition extends { readonly type: 'boolean' }
        ? z.ZodOptional<z.ZodBoolean>
        : z.ZodOptional<z.ZodString>;

export type ServerOptionName = Exclude<keyof Definitions, FixedOption>;

/** The names of the server kit's options that the configuration has as well. */
export const serverOptionNames = Object.keys(optionDefinitions).filter(
  (name): name is ServerOptionName => !fixedOptions.includes(name),
);

/** The configuration fields for options of the server kit, made from their definitions. */
export const serverOptionFields = Object.fromEntries(
  serverOptionNames.map((name) => [name, fieldOf(optionDefinitions[name])]),
) as { [Name in ServerOptionName]: Field<Definitions[Name]> };

function fieldOf(definition: OptionDefinition): z.ZodType {
  return valueOf(definition).optional().describe(describe(definition));
}

function valueOf(definition: OptionDefinition): z.ZodType {
  switch (definition.type) {
    case 'integer':
      return z.int().min(definition.minimum);
    case 'integerOrAuto':
      return z.union([z.int().min(definition.minimum), z.literal('auto')]);
    case 'enum':
      return z.enum(definition.values);
    case 'boolean':
      return z.boolean();
    case 'string':
      return z.string().min(1);
  }
}

function describe({ description, default: value }: OptionDefinition): string {
  return value === undefined ? description : `${description} Default ${value}.`;
}
