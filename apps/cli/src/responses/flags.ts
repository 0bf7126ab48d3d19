import type { Flags } from '../command.ts';
import { chatFlags } from '../chat/flags.ts';

const { model, file, image, schema, temperature, effort, verbosity, param, plain } = chatFlags;

export const responseFlags = {
  model,
  instructions: { type: 'string', short: 's', description: 'Instructions for the model, for this response only' },
  previous: { type: 'string', short: 'p', value: 'response-id', description: 'Continue a stored response' },
  conversation: { type: 'string', value: 'conversation-id', description: 'Continue a conversation of the server' },
  file,
  image,
  schema,
  temperature,
  'top-p': chatFlags['top-p'],
  'max-tokens': chatFlags['max-tokens'],
  effort,
  verbosity,
  'service-tier': chatFlags['service-tier'],
  metadata: { type: 'string', multiple: true, value: 'key=value', description: 'Metadata of the response' },
  param,
  'no-store': { type: 'boolean', description: 'Do not store the response on the server' },
  background: { type: 'boolean', description: 'Generate the response in the background, and print its ID' },
  'no-stdin': chatFlags['no-stdin'],
  'no-stream': { type: 'boolean', description: 'Wait for the complete response' },
  events: { type: 'boolean', description: 'Print each event of the stream as a line of JSON' },
  plain,
} as const satisfies Flags;
