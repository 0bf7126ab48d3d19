import { parseRequest } from '@modelwire/schema';
import { chatCompletionCreateParamsSchema } from '@modelwire/schema/internal';
import { usageError } from '../cli-error.ts';
import { nearest } from '@modelwire/schema/internal/nearest';

// Set in another way, or part of each request.
const RESERVED = new Set(['model', 'messages', 'stream', 'tools']);

/** Validates a request parameter by the schema of the API. @throws CliError when it is unknown or its value is invalid. */
export function checkParameter(name: string, value: unknown): void {
  const names = Object.keys(chatCompletionCreateParamsSchema.shape).filter((each) => !RESERVED.has(each));
  if (!names.includes(name)) {
    const suggestion = nearest(name, names);
    throw usageError(
      `Unknown parameter "${name}".`,
      suggestion === undefined
        ? 'A parameter that only this server supports can be set with modelwire chat --param name=json.'
        : `Did you mean ${suggestion}?`,
    );
  }
  const messages = [{ role: 'user', content: 'Hello' }];
  const parsed = parseRequest(chatCompletionCreateParamsSchema, { model: 'any', messages, [name]: value });
  if (!parsed.ok) throw usageError(parsed.problem.message);
}
