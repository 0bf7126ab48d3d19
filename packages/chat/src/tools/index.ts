export * from './run-tools.ts';
export type * from './run-events.ts';
export * from '@modelwire/core/internal/tools/runs';
export type { Outcome } from '../parse/outcome.ts';
export type { ParsedCallOf } from '../parse/tool-calls.ts';
