import { isRecord } from '@modelwire/ports';
import { batchInputLineSchema, parseRequest } from '@modelwire/schema';
import type { BatchError, BatchInputLine } from '@modelwire/schema/types';
import { withExactSeed } from '../../http/exact-seed.ts';
import { RequestError } from '../../errors.ts';
import { parseJson } from '../../http/decode-body.ts';
import type { SplitLine } from './split-lines.ts';

interface LineRules {
  /** Endpoint of the batch, which all lines must have. */
  readonly endpoint: string;
  /** Parameters that each body must have. */
  readonly required: readonly string[];
  readonly maxBytes: number;
  readonly unknownFields: 'refuse' | 'keep';
}

/** A line of an input file, or its error. */
export type ParsedLine =
  { readonly ok: true; readonly line: BatchInputLine } | { readonly ok: false; readonly error: BatchError };

/**
 * Validates what hosted services validate before a batch starts: JSON, `custom_id`, endpoint and required parameters. Everything else is
 * validated when the line runs, like any other request, and becomes a line of the error file.
 */
export function parseLine({ number, text, problem }: SplitLine, rules: LineRules): ParsedLine {
  if (text === undefined) {
    return problem === 'too_long'
      ? lineError(number, 'line_too_long', `This line is longer than ${rules.maxBytes} bytes.`)
      : lineError(number, 'invalid_utf8', 'This line is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return error instanceof RequestError && error.code !== 'invalid_json'
      ? lineError(number, error.code, error.message)
      : lineError(number, 'invalid_json_line', 'This line is not valid JSON.');
  }
  if (!isRecord(value)) return lineError(number, 'invalid_json_line', 'This line is not a JSON object.');
  const { url } = value;
  if (typeof url === 'string' && url !== rules.endpoint) {
    const message = `The 'url' of this line does not match the endpoint of the batch, '${rules.endpoint}'.`;
    return lineError(number, 'invalid_url', message, 'url');
  }
  const parsed = parseRequest(batchInputLineSchema, value, { unknownFields: rules.unknownFields });
  if (!parsed.ok) {
    const { code, message, param } = parsed.problem;
    return lineError(number, code, message, param);
  }
  if (parsed.value.body['stream'] === true) {
    const message = "Streaming is not supported in batches: leave 'stream' out.";
    return lineError(number, 'streaming_unsupported', message, 'body.stream');
  }
  for (const name of rules.required) {
    if ((parsed.value.body[name] ?? null) === null)
      return lineError(number, 'invalid_request', `Missing required parameter: 'body.${name}'.`, `body.${name}`);
  }
  return { ok: true, line: parsed.value };
}

/** Parses a line that was valid when its batch was validated. */
export function parseValidatedLine(text: string): Pick<BatchInputLine, 'custom_id' | 'body'> {
  const value: unknown = JSON.parse(text);
  if (isRecord(value)) {
    const { custom_id, body } = value;
    if (typeof custom_id === 'string' && isRecord(body)) {
      const exact = withExactSeed(body, text, (line) => (isRecord(line) ? line['body'] : undefined));
      if (isRecord(exact)) return { custom_id, body: exact };
    }
  }
  throw new Error('a line of the input file has changed since it was validated');
}

function lineError(line: number, code: string, message: string, param: string | null = null): ParsedLine {
  return { ok: false, error: { code, line, message, param } };
}
