import type { GrammarSource as CompiledSource } from '@modelwire/grammar';
import type { GrammarSource as RequestedSource } from '@modelwire/schema/internal';
import { expectTypeOf } from 'vitest';

// The sources that requests define are those that are compiled.
expectTypeOf<RequestedSource>().toEqualTypeOf<CompiledSource>();
