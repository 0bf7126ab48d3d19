import * as z from 'zod';
import { problemsOf } from '../problems.ts';
import { patternSchema } from './pattern-schema.ts';
import { templateNames, unknownTemplates } from './template.ts';
import type { ChatRequestInfo, ReplyFunction } from './types.ts';

/** The schemas of rules, in files and in programs. Short forms are expanded to long ones here. */
const text = z.string();
const ms = z.number().min(0);
const count = z.int().min(0);

/** `{}` for a short form, a value that is not an object of options. */
function short<Schema extends z.ZodType>(schema: Schema, isShort: (value: unknown) => object | undefined) {
  return z.preprocess((value) => isShort(value) ?? value, schema);
}

const functionOf = <Value>(purpose: string) =>
  z.custom<Value>((value) => typeof value === 'function', { error: `expected a function: ${purpose}` });

export const chatMatcherSchema = z.strictObject({
  model: patternSchema.optional(),
  message: patternSchema.optional(),
  system: patternSchema.optional(),
  tool: patternSchema.optional(),
  toolResult: z.union([z.boolean(), patternSchema], { error: 'expected true, false or the name of a tool' }).optional(),
  turn: z.int().min(1).optional(),
  stream: z.boolean().optional(),
  format: z.enum(['text', 'json_object', 'json_schema']).optional(),
  customId: patternSchema.optional(),
  test: functionOf<(requestInfo: ChatRequestInfo) => boolean>('it returns whether a request matches').optional(),
});

const toolCall = z
  .strictObject({ name: text.min(1), arguments: z.unknown().optional(), input: text.optional(), id: text.optional() })
  .refine(({ input, arguments: given }) => input === undefined || given === undefined, {
    error: "either 'arguments' (a function) or 'input' (a custom tool)",
  });

const errorFields = {
  status: z.int().min(400).max(599).optional(),
  message: text.optional(),
  type: text.optional(),
  code: text.optional(),
  param: text.optional(),
  retryAfter: z.number().min(0).optional(),
};
export const errorSchema = z.strictObject({ ...errorFields, afterChunks: count.optional() });

const pace = short(z.strictObject({ first: ms.optional(), each: ms.optional() }), (value) =>
  typeof value === 'number' ? { first: value, each: value } : undefined,
);

const contentFields = {
  text: text.optional(),
  json: z.unknown().optional(),
  refusal: text.optional(),
  toolCalls: z.array(toolCall).min(1).optional(),
  finishReason: z.enum(['stop', 'length', 'content_filter', 'tool_calls', 'function_call']).optional(),
  chunks: z.union([z.int().min(1), z.array(text).min(1)], { error: 'expected a number or a list of texts' }).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  template: z.boolean().optional(),
};
const choiceFields = z.strictObject(contentFields);
export type ParsedChoice = z.output<typeof choiceFields>;

const usage = z.looseObject({
  prompt_tokens: count.optional(),
  completion_tokens: count.optional(),
  total_tokens: count.optional(),
});

const asText = (value: unknown) => (typeof value === 'string' ? { text: value } : undefined);

const replyFields = z.strictObject({
  ...contentFields,
  error: errorSchema.optional(),
  usage: usage.optional(),
  pace: pace.optional(),
  delay: ms.optional(),
  choices: z
    .array(
      short(
        choiceFields.superRefine((choice, context) => checkContent(choice, (problem) => context.addIssue(problem))),
        asText,
      ),
    )
    .min(1)
    .optional(),
});
export type ParsedReply = z.output<typeof replyFields>;

/** The reply of a function. Its texts can have any origin, so unknown templates stay unchanged. */
export const replySchema = short(
  replyFields.superRefine((reply, context) => {
    if (reply.error || reply.choices) return;
    checkContent(reply, (problem) => context.addIssue(problem));
  }),
  asText,
);

/** A written reply, in which an unknown template is an error. */
const writtenReply = replySchema.superRefine((reply, context) => {
  checkTemplates(reply, [], context);
  for (const [index, choice] of (reply.choices ?? []).entries()) checkTemplates(choice, ['choices', index], context);
});

function checkContent(reply: ParsedChoice, onProblem: (problem: string) => void): void {
  const { text, json, refusal, toolCalls, chunks } = reply;
  const pieces = Array.isArray(chunks) && text === undefined && json === undefined ? chunks : undefined;
  const contents = [text, json, refusal, pieces].filter((content) => content !== undefined);
  if (contents.length > 1) onProblem("only one of 'text', 'json', 'refusal' and a list of 'chunks'");
  if (Array.isArray(chunks) && text !== undefined && text !== chunks.join(''))
    onProblem("the joined 'chunks' differ from 'text'");
  if (contents.length === 0 && !toolCalls) {
    onProblem("empty reply: set 'text', 'json', 'refusal', 'toolCalls', 'choices' or 'error'");
  }
}

function checkTemplates(reply: ParsedChoice, path: (string | number)[], context: z.RefinementCtx): void {
  if (reply.template === false) return;
  const { text, json, refusal, toolCalls, chunks } = reply;
  for (const name of unknownTemplates(JSON.stringify([text, json, refusal, chunks, toolCalls]))) {
    const available = [...templateNames, 'match.1'].map((content) => `{{${content}}}`).join(', ');
    const message = `unknown template {{${name}}}; available: ${available}; to send braces as they are, set 'template: false'`;
    context.addIssue({ code: 'custom', path, message });
  }
}

const replyOrFunction = z.custom<unknown>().transform((value, context): ParsedReply | ReplyFunction => {
  if (typeof value === 'function') return value as ReplyFunction;
  const parsed = writtenReply.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of problemsOf(parsed.error))
    context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

const name = text.min(1).optional();
const times = z.int().min(1).optional();

export const chatRuleSchema = short(
  z
    .strictObject({
      name,
      when: chatMatcherSchema.optional(),
      reply: replyOrFunction.optional(),
      sequence: z.array(replyOrFunction).min(1).optional(),
      atEnd: z.enum(['stop', 'last', 'again']).optional(),
      times,
    })
    .refine(({ reply, sequence }) => (reply === undefined) !== (sequence === undefined), {
      error: "exactly one of 'reply' and 'sequence'",
    })
    .refine(({ atEnd, sequence }) => atEnd === undefined || sequence !== undefined, {
      path: ['atEnd'],
      error: "requires a 'sequence'",
    }),
  (value) => (typeof value === 'string' || typeof value === 'function' ? { reply: value } : undefined),
);
export type ParsedChatRule = z.output<typeof chatRuleSchema>;
