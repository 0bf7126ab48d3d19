import type { ResponseUsage } from '@modelwire/schema/types';
import { merged } from './merge.ts';
import type { Part } from './merge.ts';
import type { Random } from './random.ts';

/** Creates a valid object of a schema. `overrides` replaces the defaults at any depth. */
export type Factory<Value> = (overrides?: Part<Value>) => Value;

/** `settle` sets fields that depend on others, unless they are overridden. */
export function factory<Value extends object>(
  defaults: () => Value,
  settle: (value: Value) => Partial<Value> = () => ({}),
): Factory<Value> {
  return (overrides) => {
    // The type of `overrides` restricts the values to the fields of `Value`.
    const value = (overrides === undefined ? defaults() : merged(defaults(), overrides)) as Value;
    for (const [name, follows] of Object.entries(settle(value))) {
      if (overrides === undefined || !(name in overrides)) Object.assign(value, { [name]: follows });
    }
    return value;
  };
}

export interface ListOf<Item> {
  object: 'list';
  data: Item[];
  first_id?: string | null;
  last_id?: string | null;
  has_more: boolean;
}

/** A page of two items; `first_id` and `last_id` follow from them. */
export function pageFactory<Item extends { id: string }>(item: Factory<Item>): Factory<ListOf<Item>> {
  return factory<ListOf<Item>>(
    () => ({ object: 'list', data: [item(), item()], first_id: null, last_id: null, has_more: false }),
    ({ data }) => ({ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }),
  );
}

export function deletedFactory<Name extends string>(random: Random, prefix: string, object: Name) {
  return factory<{ id: string; object: Name; deleted: boolean }>(() => ({
    id: random.id(prefix),
    object,
    deleted: true,
  }));
}

/** The usage of a batch or a response; `total_tokens` follows from the other fields. */
export function tokenUsageFactory(random: Random, min: number, max: number): Factory<ResponseUsage> {
  return factory<ResponseUsage>(
    () => ({
      input_tokens: random.int(min, max),
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: random.int(min, max),
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    }),
    ({ input_tokens, output_tokens }) => ({ total_tokens: input_tokens + output_tokens }),
  );
}
