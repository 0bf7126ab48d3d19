import { isRecord } from '@modelwire/adapter-kit';
import type { CompletionRecord } from '@modelwire/ports';
import { METADATA_MAX_PAIRS } from '@modelwire/schema';
import { datasetItemSchema } from '@modelwire/schema/internal';
import type { CompletionUsage, Metadata } from '@modelwire/schema/types';
import { invalid } from '../../errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The line of a file for evaluation: a stored completion as its request and its reply. All other formats are made of it. */
export interface DatasetItem {
  readonly item: {
    readonly id: string;
    readonly created: number;
    readonly metadata: Metadata;
    readonly request: Fields & { readonly messages: readonly Fields[] };
  };
  readonly sample: {
    readonly model: string;
    readonly output_text: string;
    readonly choices: readonly { readonly finish_reason?: string | null | undefined; readonly message: Fields }[];
    readonly usage: CompletionUsage | null;
    readonly duration_ms: number | null;
  };
}

/** Values that are stored whether or not the request had them. */
const defaults: Fields = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 };

export function itemOf({ completion, messages }: CompletionRecord): DatasetItem {
  const { id, created, model, metadata, choices, usage, duration_ms, request_parameters, ...stored } = completion;
  const { tools, tool_choice, response_format, seed, temperature, top_p, presence_penalty, frequency_penalty } = stored;
  const parameters = {
    tools,
    tool_choice,
    response_format,
    seed,
    temperature,
    top_p,
    presence_penalty,
    frequency_penalty,
  };
  const isSet = ([name, value]: [string, unknown]): boolean => (value ?? null) !== null && value !== defaults[name];
  const sent = messages.slice(0, messages.length - choices.length);
  return {
    item: {
      id,
      created,
      metadata,
      request: {
        model,
        ...Object.fromEntries(Object.entries({ ...request_parameters, ...parameters }).filter(isSet)),
        ...(stored.input_user && { user: stored.input_user }),
        messages: sent.map(requestMessage),
      },
    },
    sample: {
      model,
      output_text: choices[0]?.message.content ?? '',
      choices: choices.map(({ finish_reason, message }) => ({ finish_reason, message: withoutNulls(message) })),
      usage: usage ?? null,
      duration_ms: duration_ms ?? null,
    },
  };
}

/** A stored message as a request contains it. */
function requestMessage({
  id: _,
  content,
  content_parts: parts,
  ...message
}: CompletionRecord['messages'][number]): Fields {
  return { ...withoutNulls(message), content: parts && parts.length > 0 ? parts : content };
}

function withoutNulls(fields: object): Record<string, unknown> {
  const isKept = ([, value]: [string, unknown]): boolean =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(isKept));
}

/** What a format makes of an item: its line, and what two equal lines have in common. Undefined for an item that it cannot express. */
export type LineFormat = (item: DatasetItem) => { readonly line: object; readonly identity: unknown } | undefined;

export const evaluationFormat: LineFormat = (line) => {
  const { messages } = line.item.request;
  return { line, identity: [messages, line.sample.choices.map(({ message }) => message)] };
};

const completeReasons: ReadonlySet<unknown> = new Set(['stop', 'tool_calls', 'function_call']);
const trainedFields: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id']);

/** The conversation with its first reply, unless that was cut off, filtered or refused. */
export const fineTuningFormat: LineFormat = ({ item, sample }) => {
  const [choice] = sample.choices;
  const { messages, tools, parallel_tool_calls } = item.request;
  if (!choice || !completeReasons.has(choice.finish_reason)) return undefined;
  const { refusal, content, tool_calls: calls } = choice.message;
  if ((refusal ?? null) !== null || ((content ?? '') === '' && calls === undefined)) return undefined;
  const line = {
    messages: [...messages, choice.message].map((message) =>
      Object.fromEntries(Object.entries(message).filter(([name]) => trainedFields.has(name))),
    ),
    ...(tools !== undefined && { tools }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
  };
  return { line, identity: line };
};

/** The key of the metadata of a result of a rerun: the ID of the completion whose request ran again. */
export const rerunKey = 'rerun_of';

/** @throws a 400 for parameters that a request of a dataset cannot have in place of its own. */
export function checkParameters(parameters: Fields): void {
  for (const name of ['messages', 'stream', 'stream_options']) {
    if (name in parameters)
      throw invalid(`parameters.${name}`, `Invalid value for 'parameters': '${name}' cannot change.`);
  }
  if (typeof (parameters['model'] ?? '') !== 'string')
    throw invalid('parameters.model', "Invalid value for 'parameters': 'model' is not a string.");
  const pairs = Object.keys(parameters['metadata'] ?? {}).length;
  if (pairs >= METADATA_MAX_PAIRS)
    throw invalid(
      'parameters.metadata',
      `At most ${METADATA_MAX_PAIRS - 1} pairs: the ID of the source is another one.`,
    );
}

/** A request for a batch, whose results are stored with the ID of their source. */
export function requestFormat({ metadata, store = true, ...others }: Fields) {
  return ({ item }: DatasetItem): { readonly line: object; readonly identity: unknown } => {
    const body = { ...item.request, ...others, store };
    const linked = { ...(isRecord(metadata) && metadata), [rerunKey]: item.id };
    return {
      line: {
        custom_id: item.id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: store === true ? { ...body, metadata: linked } : body,
      },
      identity: body,
    };
  };
}

/** @throws what is wrong with a line of a file. */
export function parseItem(text: string): DatasetItem {
  return datasetItemSchema.parse(JSON.parse(text));
}
