import { formatShape } from '@modelwire/server/internal';
import type { JsonShape } from '@modelwire/server/internal';
import type { FinishReason } from '@modelwire/schema/types';
import { scriptError } from './chat-script.ts';
import type { ChatRequestInfo } from './types.ts';

/**
 * Validates a scripted `json` by the response format of the request, which constrains models as well: a test must not pass with an impossible
 * reply. Truncated replies are not validated, and `text` can be invalid on purpose.
 *
 * @throws a 400 with the path of the problem.
 */
export function checkJson(
  json: unknown,
  finishReason: FinishReason | undefined,
  { requestInfo, rule }: { readonly requestInfo: Pick<ChatRequestInfo, 'body'>; readonly rule: string },
): void {
  if (finishReason === 'length' || finishReason === 'content_filter') return;
  const violation = shapeOf(requestInfo)?.(JSON.stringify(json));
  if (violation === undefined) return;
  const { response_format: format } = requestInfo.body;
  const expected = format?.type === 'json_schema' ? `the schema '${format.json_schema.name}'` : 'a json_object';
  throw scriptError(
    `The json of ${rule} does not match the request, which asks for ${expected}: ${violation}. To reply with invalid JSON, use 'text'.`,
  );
}

/** Undefined without a schema, or for a schema that cannot be compiled. */
function shapeOf({ body: { response_format: format } }: Pick<ChatRequestInfo, 'body'>): JsonShape | undefined {
  if (!format) return undefined;
  try {
    return formatShape(format);
  } catch {
    return undefined;
  }
}
