import { expectTypeOf } from 'vitest';
import type * as z from 'zod';
import type * as schemas from './schemas.ts';
import type * as types from './types.ts';

/** The named fields of a type, without the index signature that a loose object adds. */
type Named<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
/** A type without `readonly` and without unknown fields, at every depth, so that equivalent types are equal. */
type Shape<T> = T extends string | number | boolean | null | undefined | Blob
  ? T
  : T extends readonly (infer Item)[]
    ? Shape<Item>[]
    : keyof Named<T> extends never
      ? { -readonly [Key in keyof T]: Shape<T[Key]> }
      : { -readonly [Key in keyof Named<T>]: Shape<Named<T>[Key]> };
type Parsed<Schema extends z.ZodType> = Shape<z.output<Schema>>;

// The generator of types agrees with zod about what the schemas parse to. Together, these have a schema of every kind.
expectTypeOf<Shape<types.ChatCompletionCreateParamsBase>>().toEqualTypeOf<
  Parsed<typeof schemas.chatCompletionCreateParamsSchema>
>();
expectTypeOf<Shape<types.ResponseCreateParamsBase>>().toEqualTypeOf<
  Parsed<typeof schemas.responseCreateParamsSchema>
>();
expectTypeOf<Shape<types.BatchInputLine>>().toEqualTypeOf<Parsed<typeof schemas.batchInputLineSchema>>();
expectTypeOf<Shape<types.UsageParams>>().toEqualTypeOf<Parsed<typeof schemas.usageQuerySchema>>();
expectTypeOf<Shape<types.ChatCompletionList>>().toEqualTypeOf<Parsed<typeof schemas.chatCompletionListSchema>>();
expectTypeOf<Shape<types.ChatCompletionChunk>>().toEqualTypeOf<Parsed<typeof schemas.chatCompletionChunkSchema>>();
expectTypeOf<Shape<types.ResponseObject>>().toEqualTypeOf<Parsed<typeof schemas.responseSchema>>();
expectTypeOf<Shape<types.ResponseStreamEvent>>().toEqualTypeOf<Parsed<typeof schemas.responseStreamEventSchema>>();
expectTypeOf<Shape<types.ResponseItemList>>().toEqualTypeOf<Parsed<typeof schemas.responseItemListSchema>>();
expectTypeOf<Shape<types.Moderation>>().toEqualTypeOf<Parsed<typeof schemas.moderationSchema>>();
expectTypeOf<Shape<types.ModelCapabilities>>().toEqualTypeOf<Parsed<typeof schemas.modelCapabilitiesSchema>>();
expectTypeOf<Shape<types.UsagePage>>().toEqualTypeOf<Parsed<typeof schemas.usagePageSchema>>();

// A block of an unknown type does not pass for one of a known type.
type AnyBlock = Exclude<types.MessageAssistantParam['content'], string>[number];
declare const block: AnyBlock;
if (block.type === 'text' && 'text' in block) expectTypeOf(block.text).toEqualTypeOf<string>();
// @ts-expect-error: the text is not certain.
if (block.type === 'text') expectTypeOf(block.text).toBeString();

// Known values are those that an open enum documents.
expectTypeOf<types.BatchStatus>().toExtend<types.Batch['status']>();
expectTypeOf<types.VideoStatus>().toEqualTypeOf<'queued' | 'in_progress' | 'completed' | 'failed'>();
