import { isRecord } from '@modelwire/ports';
import { batchInputLineSchema, parseRequest } from '@modelwire/schema';
import type { BatchError, BatchInputLine } from '@modelwire/schema/types';
import { withExactSeed } from '../../http/exact-seed.ts';
import { RequestError } from '../../errors.ts';
import { parseJson } from '../../http/decode-body.ts';
import type { SplitLine } from './split-lines.ts';

interface LineRules {
  /** The batch's, where all lines have to go. */
  readonly endpoint: string;
  /** Parameters that each body needs. */
  readonly required: readonly string[];
  readonly maxBytes: number;
  readonly unknownFields: 'refuse' | 'keep';
}

/** A line of an input file, or what is wrong with it. */
export type ReadLine =
  { readonly ok: true; readonly line: BatchInputLine } | { readonly ok: false; readonly error: BatchError };

/**
 * Checks what a batch says about its requests: that each can be told apart, goes to the batch's endpoint and has what no request there can
 * do without, as hosted services check it. The rest is checked when the line runs, as for any request: a wrong parameter is a line of the
 * error file.
 */
export function readLine({ number, text, problem }: SplitLine, rules: LineRules): ReadLine {
  if (text === undefined) {
    return problem === 'too_long'
      ? wrong(number, 'line_too_long', `This line is longer than ${rules.maxBytes} bytes.`)
      : wrong(number, 'invalid_utf8', 'This line is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return error instanceof RequestError && error.code !== 'invalid_json'
      ? wrong(number, error.code, error.message)
      : wrong(number, 'invalid_json_line', 'This line is not valid JSON.');
  }
  if (!isRecord(value)) return wrong(number, 'invalid_json_line', 'This line is not a JSON object.');
  const { url } = value;
  if (typeof url === 'string' && url !== rules.endpoint) {
    const message = `The 'url' of this line does not match the endpoint of the batch, '${rules.endpoint}'.`;
    return wrong(number, 'invalid_url', message, 'url');
  }
  const parsed = parseRequest(batchInputLineSchema, value, { unknownFields: rules.unknownFields });
  if (!parsed.ok) {
    const { code, message, param } = parsed.problem;
    return wrong(number, code, message, param);
  }
  if (parsed.value.body['stream'] === true) {
    const message = "Streaming is not supported in batches: leave 'stream' out.";
    return wrong(number, 'streaming_unsupported', message, 'body.stream');
  }
  for (const name of rules.required) {
    if ((parsed.value.body[name] ?? null) === null)
      return wrong(number, 'invalid_request', `Missing required parameter: 'body.${name}'.`, `body.${name}`);
  }
  return { ok: true, line: parsed.value };
}

/** A line that was found right when its batch was validated. */
export function lineOf(text: string): Pick<BatchInputLine, 'custom_id' | 'body'> {
  const value: unknown = JSON.parse(text);
  if (isRecord(value)) {
    const { custom_id, body } = value;
    if (typeof custom_id === 'string' && isRecord(body)) {
      const exact = withExactSeed(body, text, (line) => (isRecord(line) ? line['body'] : undefined));
      if (isRecord(exact)) return { custom_id, body: exact };
    }
  }
  throw new Error('a line of the input is not what it was when it was validated');
}

function wrong(line: number, code: string, message: string, param: string | null = null): ReadLine {
  return { ok: false, error: { code, line, message, param } };
}
