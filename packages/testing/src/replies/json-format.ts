import { formatShape } from '@modelwire/server';
import type { JsonShape } from '@modelwire/server';
import type { FinishReason } from '@modelwire/schema/types';
import { scriptError } from './chat-script.ts';
import type { ChatRequestInfo } from './types.ts';

/**
 * Holds a scripted `json` to the format that the request asks for, as a model is held to it: a test that passes with what no model
 * could say shows nothing. A reply that is cut off may be anything; `text` may be wrong on purpose.
 *
 * @throws a 400 that says where it does not fit.
 */
export function checkJson(
  json: unknown,
  finishReason: FinishReason | undefined,
  { asked, rule }: { readonly asked: Pick<ChatRequestInfo, 'body'>; readonly rule: string },
): void {
  if (finishReason === 'length' || finishReason === 'content_filter') return;
  const trouble = shapeOf(asked)?.(JSON.stringify(json));
  if (trouble === undefined) return;
  const { response_format: format } = asked.body;
  const wanted = format?.type === 'json_schema' ? `the schema '${format.json_schema.name}'` : 'a json_object';
  throw scriptError(
    `The json of ${rule} is not what was asked for, ${wanted}: ${trouble}. A 'text' may be wrong on purpose.`,
  );
}

/** Undefined where there is nothing to hold to, or where it cannot be: the server is asked for any schema here. */
function shapeOf({ body: { response_format: format } }: Pick<ChatRequestInfo, 'body'>): JsonShape | undefined {
  if (!format) return undefined;
  try {
    return formatShape(format);
  } catch {
    return undefined;
  }
}
