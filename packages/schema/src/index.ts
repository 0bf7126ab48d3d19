export type * from './types.ts';
export * from './routes.ts';
export * from './limits.ts';

export { parseRequest, type Parsed, type ParseOptions } from './parse.ts';
export { problem, problemOf } from './problem.ts';
export { lenient } from './lenient.ts';
export { parseChatCompletionCreate } from './chat/parse.ts';
export { chatRules, firstBrokenRule, type ChatRule } from './chat/rules.ts';
export { chatCompletionCreateParamsSchema } from './chat/create.ts';
export { chatCompletionSchema, chatMessageSchema, chatChoiceSchema, usageSchema } from './chat/completion.ts';
export { chatCompletionChunkSchema } from './chat/chunk.ts';
