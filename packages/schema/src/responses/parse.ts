import type * as z from 'zod';
import { parseRequest, withDefaultModel, type Parsed, type ModelParseOptions } from '../parsing/parse.ts';
import { schemaForPresentFields } from '../parsing/present-fields.ts';
import { problem } from '../parsing/problem.ts';
import type { Problem } from '../types/parts.ts';
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
  const unsupported = unsupportedProblem(body);
  if (unsupported) return { ok: false, problem: unsupported };
  const input = withReferenceTypes(withoutUnsupported(withDefaultModel(body, options)));
  const parsed = parseRequest(schemaFor(input), input, options);
  if (!parsed.ok) return parsed;
  const problem = firstBrokenResponseRule(parsed.value);
  if (problem) return { ok: false, problem };
  // It has no effect, and must not be stored or passed on.
  const { client_metadata, ...value } = parsed.value;
  return { ok: true, value };
}

/** Parameters that only hosted services support. Null has no effect. */
const unsupportedParameters = ['access_programs', 'context_management', 'image', 'prompt'] as const;

function unsupportedProblem(body: unknown): Problem | undefined {
  if (!isObject(body)) return undefined;
  const name = unsupportedParameters.find((each) => body[each] != null);
  return (
    name &&
    problem('unsupported_parameter', [name], `Unsupported parameter: '${name}' is not supported by this server.`)
  );
}

function withoutUnsupported(body: unknown): unknown {
  if (!isObject(body) || !unsupportedParameters.some((name) => name in body)) return body;
  const names: ReadonlySet<string> = new Set(unsupportedParameters);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
