import * as z from 'zod';
import { text } from '../fields/field.ts';
import { objectNotFound, unknownModel } from './errors.ts';
import type { EndpointError } from './errors.ts';

interface Parameter {
  readonly schema: z.ZodString;
  /** What the parameter identifies, for the error of an object that does not exist. */
  readonly object: string;
}

const parameter = (object: string, example: string, description = `ID of the ${object}.`): Parameter => ({
  schema: text({ min: 1 }).meta({ description, examples: [example] }),
  object,
});

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  completion_id: parameter('stored completion', 'chatcmpl-abc123', 'ID of a stored completion.'),
  batch_id: parameter('batch', 'batch_abc123'),
  upload_id: parameter('upload', 'upload_abc123'),
  file_id: parameter('file', 'file-abc123'),
  video_id: parameter('video', 'video_abc123'),
  response_id: parameter('stored response', 'resp_abc123', 'ID of a stored response.'),
  conversation_id: parameter('conversation', 'conv_abc123'),
  item_id: parameter('item', 'msg_abc123'),
  project_id: parameter('project', 'default'),
  api_key_id: parameter('key', 'key_abc123', 'ID of the API key.'),
  budget_id: parameter('budget', 'budget_abc123'),
  webhook_id: parameter('webhook', 'webhook_abc123'),
  request_id: parameter('logged request', 'req_abc123', 'ID of the request.'),
  delivery_id: parameter('delivery', 'evt_batch_abc123.webhook_abc123'),
  model: parameter('model', 'simulator', 'ID of a model. It may contain slashes.'),
};

/**
 * The parameters of a path with `{name}` placeholders.
 *
 * @throws an Error for a name without a description here.
 */
const parametersOf = (path: string): readonly (readonly [name: string, parameter: Parameter])[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const known = PARAMETERS[name];
    if (!known) throw new Error(`The path parameter '${name}' of ${path} has no description.`);
    return [name, known];
  });

/** The schema of the parameters of a path: strings of at least one character. */
export const pathParameters = (path: string): z.ZodObject =>
  z.strictObject(Object.fromEntries(parametersOf(path).map(([name, { schema }]) => [name, schema])));

/** The errors of a path whose parameters do not identify an object. */
export function pathErrors(path: string): readonly EndpointError[] {
  const objects = parametersOf(path).map(([, { object }]) => object);
  if (objects.length === 0) return [];
  return [objects[0] === 'model' ? unknownModel : objectNotFound(objects.join(' or '))];
}
