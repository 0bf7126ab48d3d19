import { contract, problemOf } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { parseEvents } from '../../exchange/events.ts';
import { valueAt } from '../../exchange/value.ts';
import type { Certainty } from '../../report.ts';
import type { RunContext } from '../../context/run-context.ts';
import { sendChat } from '../chat/send.ts';
import { sendTextCompletion } from '../text-completions.ts';
import { endpointCertainty, isMessages, successfulSample, phaseOf } from '../shape.ts';
import { fieldPaths, parentObjects, ITEMS } from './field-paths.ts';
import type { FieldPath } from './field-paths.ts';
import { assertConforms, Skip } from '../../verdict.ts';

/** Whether each field of a response is present and has its type. */
export function fieldChecks(id: EndpointId): readonly Check[] {
  const { response: responseSpec, section, event } = contract[id];
  if (responseSpec.type !== 'application/json') return [];
  const whole = fieldPaths(responseSpec.schema).map((field) =>
    fieldCheck(id, 'response', field, sectionOf(id, section), async (context) => {
      const response = await (id === 'chat.completions.create' && field.name.includes('logprobs.')
        ? withLogprobs(context)
        : successfulSample(context, id));
      return { response, root: response.json };
    }),
  );
  // The events of messages have forms by their type.
  if (!event || isMessages(id)) return whole;
  const chunks = fieldPaths(event).map((field) => ({ ...field, path: [ITEMS, ...field.path] }));
  return [
    ...whole,
    ...chunks.map((field) =>
      fieldCheck(
        id,
        'event',
        field,
        id.startsWith('chat.') ? 'Chat completion chunk object' : section,
        async (context) => {
          const fields = { stream: true, stream_options: { include_usage: true } };
          const response = await (id === 'completions.create'
            ? sendTextCompletion(context, fields)
            : sendChat(context, fields));
          if (response.status !== 200) throw new Skip(`a stream request returns ${response.status}`);
          return { response, root: parseEvents(response).chunks.map(({ json }) => json) };
        },
      ),
    ),
  ];
}

async function withLogprobs(context: RunContext): Promise<CompleteResponse> {
  const response = await sendChat(context, { logprobs: true, top_logprobs: 2 });
  if (response.status !== 200) throw new Skip('the server rejects logprobs');
  return response;
}

function fieldCheck(
  id: EndpointId,
  location: 'response' | 'event',
  field: FieldPath,
  section: string,
  sample: (context: RunContext) => Promise<{ readonly response: CompleteResponse; readonly root: unknown }>,
): Check {
  const { name, optional } = field;
  return check(id, `${location}.${name}`, {
    title: `${location === 'event' ? 'Each chunk' : 'The response'} has ${name}${optional ? ', if present,' : ''} in its documented form`,
    section,
    certainty: certaintyOfField(id, name),
    weight: 1,
    phase: phaseOf(id),
    async run(context) {
      const { response, root } = await sample(context);
      assertField(response, root, field);
    },
  });
}

function assertField(
  response: CompleteResponse,
  root: unknown,
  { name, path, optional, schema, inner }: FieldPath,
): void {
  const parents = parentObjects(root, path);
  const key = path.at(-1) ?? '';
  if (parents.length === 0) {
    assertConforms(response, path.length > 1, 'The response is not a JSON object.');
    throw new Skip(`no object in this response can have ${name}`);
  }
  let present = 0;
  for (const parent of parents) {
    if (!Object.hasOwn(parent, key)) {
      assertConforms(
        response,
        optional,
        `${name} is missing.`,
        `Send ${name}${schema.safeParse(null).success ? ', or null without a value' : ''}.`,
      );
      continue;
    }
    present++;
    const value = valueAt(parent, key);
    if (inner !== undefined && isKind(value, inner)) continue;
    const parsed = schema.safeParse(value);
    assertConforms(
      response,
      parsed.success,
      `${name} has another form. ${parsed.error ? problemOf(parsed.error, value).message.replace('the request body', name) : ''}`,
    );
  }
  if (present === 0) throw new Skip(`${name} is optional and not in this response`);
}

const isKind = (value: unknown, kind: 'object' | 'array'): boolean =>
  kind === 'array' ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of stored completions and messages that only examples or SDKs show. */
const SAMPLE_ONLY_FIELDS = /content_parts|annotations|request_id|input_user|response_format|obfuscation|audio/;

/** Fields that responses of the hosted service have, but that its schema does not require, or only OpenResponses knows. */
const OPTIONAL_FIELDS =
  /^(?:completed_at|conversation|presence_penalty|frequency_penalty|top_logprobs|max_tool_calls|prompt_cache_\w+|safety_identifier|user|store|background|truncation|service_tier)/;

/** Fields of messages that older servers do not have. */
const NEWER_MESSAGE_FIELDS = /^(?:container|stop_details|usage\.(?:cache_\w+|output_tokens_details|service_tier))/;

function certaintyOfField(id: EndpointId, name: string): Certainty {
  const certainty = endpointCertainty(id);
  if (isMessages(id) && NEWER_MESSAGE_FIELDS.test(name)) return 'opinion';
  if (id.startsWith('responses.') && OPTIONAL_FIELDS.test(name)) return 'opinion';
  return certainty === 'sure' && SAMPLE_ONLY_FIELDS.test(name) ? 'likely' : certainty;
}

const OBJECTS: readonly (readonly [string, string])[] = [
  ['chat.completions.messages', 'Chat completion message list object'],
  ['chat.completions.list', 'Chat completion list object'],
  ['chat.', 'Chat completion object'],
  ['moderations.', 'Moderation object'],
  ['batches.cancel', 'Batch object'],
  ['uploads.parts', 'Upload part object'],
  ['uploads.complete', 'Upload object'],
  ['videos.remix', 'Video object'],
  ['videos.extend', 'Video object'],
];

const sectionOf = (id: string, section: string): string =>
  section === 'companion' ? section : (OBJECTS.find(([start]) => id.startsWith(start))?.[1] ?? section);
