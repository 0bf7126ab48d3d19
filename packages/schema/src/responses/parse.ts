import type * as z from 'zod';
import { responseHints, withoutHints } from '../parsing/hints.ts';
import { isObject } from '../parsing/is-object.ts';
import { parseRequest, withDefaultModel, type Parsed, type ModelParseOptions } from '../parsing/parse.ts';
import { schemaForPresentFields } from '../parsing/present-fields.ts';
import { unsupportedProblem, withoutParameters } from '../parsing/unsupported.ts';
import type { ResponseCompactParams, ResponseCreateParamsBase } from '../types/requests.ts';
import type { ResponseCreateParams } from '../types/params.ts';
import { responseCompactParamsSchema } from './compact.ts';
import { responseCreateParamsSchema } from './create.ts';
import { firstBrokenResponseRule } from './rules.ts';

const createSchemaFor = schemaForPresentFields(responseCreateParamsSchema);
const compactSchemaFor = schemaForPresentFields(responseCompactParamsSchema);

/** Parses the body of Create response: first its shape, then the rules between fields. Adds no defaults. Never throws for any input. */
export function parseResponseCreate(body: unknown, options?: ModelParseOptions): Parsed<ResponseCreateParams> {
  return parseBody(createSchemaFor, body, options);
}

/** Parses the body of Compact response, in the same way. */
export function parseResponseCompact(body: unknown, options?: ModelParseOptions): Parsed<ResponseCompactParams> {
  return parseBody(compactSchemaFor, body, options);
}

function parseBody<Schema extends z.ZodType<ResponseCreateParamsBase>>(
  schemaFor: (body: unknown) => Schema,
  body: unknown,
  options: ModelParseOptions | undefined,
): Parsed<Omit<z.output<Schema>, 'client_metadata'>> {
  const refused = unsupportedProblem(body, unsupported);
  if (refused) return { ok: false, problem: refused };
  const input = withReferenceTypes(
    withoutHints(withoutParameters(withDefaultModel(body, options), unsupported), responseHints),
  );
  const parsed = parseRequest(schemaFor(input), input, options);
  if (!parsed.ok) return parsed;
  const problem = firstBrokenResponseRule(parsed.value);
  if (problem) return { ok: false, problem };
  // It has no effect, and must not be stored or passed on.
  const { client_metadata, ...value } = parsed.value;
  return { ok: true, value };
}

/** Only hosted services support them. */
const unsupported = new Map(
  ['access_programs', 'context_management', 'image', 'prompt'].map((name) => [name, 'unsupported_parameter']),
);

/** An `item_reference` may leave out its `type`, or have null there: it is an object with an `id` and without a `role`. */
function withReferenceTypes(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['input'])) return body;
  const items: readonly unknown[] = body['input'];
  if (!items.some(isUntypedReference)) return body;
  return {
    ...body,
    input: items.map((item) => (isUntypedReference(item) ? { ...item, type: 'item_reference' } : item)),
  };
}

function isUntypedReference(item: unknown): item is Readonly<Record<string, unknown>> {
  return isObject(item) && item['type'] == null && item['role'] === undefined && typeof item['id'] === 'string';
}
