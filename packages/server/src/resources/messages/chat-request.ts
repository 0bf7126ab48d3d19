import { SAFETY_IDENTIFIER_MAX_LENGTH } from '@modelwire/schema';
import { firstBrokenRule, hasEffect, messageToolTypes } from '@modelwire/schema/internal';
import type { ChatModel } from '@modelwire/ports';
import type {
  ChatCompletionCreateParams,
  ChatCompletionTool,
  MessageCountTokensParams,
  MessageCreateParams,
  MessageTool,
  ToolChoice,
} from '@modelwire/schema/types';
import type { ServerContext } from '../../context.ts';
import { invalid, renameFields, unsupported, unsupportedValue } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import { moderatorsOf } from '../../generation/moderators.ts';
import { translateConversation, unknownType } from './conversation.ts';
import type { MessagePaths } from './conversation.ts';
import { effortOf } from './effort.ts';
import { isStrictSchema } from './strict-schema.ts';

/** A request for a message as a chat request. */
export interface TranslatedMessage {
  readonly chat: ChatCompletionCreateParams;
  /** Types of the tools and blocks that the model does not see, without duplicates. */
  readonly omittedTypes: readonly string[];
  /** The error of a chat request with the field of the client's request. */
  readonly translateError: (error: RequestError) => RequestError;
}

/** What requests for a message and for the count of its tokens have in common, and what only the first ones have. */
export type PromptParams = MessageCountTokensParams & Partial<MessageCreateParams>;

/**
 * Translates a request for a message to a chat request. Of a request that is relayed, it is what is moderated, counted and stored.
 *
 * @throws a 400 that names the field at fault.
 */
export function translateMessageRequest(
  body: PromptParams,
  model: ChatModel,
  server: ServerContext,
): TranslatedMessage {
  const isRelayed = model.dialect === 'messages';
  if (!isRelayed) assertWithoutHosted(body, model);
  const conversation = translateConversation(body, { isRelayed });
  if (isRelayed) assertModeratable(conversation.omittedTypes, server);
  const tools = translateTools(
    body.tools ?? [],
    isRelayed ? { hosted: 'omit', other: 'omit' } : { hosted: server.options.hostedTools, other: 'refuse' },
  );
  const { output_config: output, metadata } = body;
  const format = output?.format ?? body.output_format;
  const effort = effortOf(body, model);
  const chat: ChatCompletionCreateParams = {
    model: body.model,
    messages: conversation.messages,
    // 0 only fills caches: the reply is withheld.
    ...(body.max_tokens !== undefined && { max_completion_tokens: Math.max(1, body.max_tokens) }),
    ...(body.temperature !== undefined && { temperature: body.temperature }),
    ...(body.top_p !== undefined && { top_p: body.top_p }),
    ...(body.top_k !== undefined && { top_k: body.top_k }),
    ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop: body.stop_sequences }),
    ...(metadata?.user_id !== undefined && {
      safety_identifier: metadata.user_id.slice(0, SAFETY_IDENTIFIER_MAX_LENGTH),
    }),
    ...(effort && { reasoning_effort: effort }),
    ...(format && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'output', schema: format.schema, strict: isStrictSchema(format.schema) },
      },
    }),
    ...(body.speed === 'fast' && { service_tier: 'fast' }),
    ...(body.service_tier === 'standard_only' && { service_tier: 'default' }),
    ...(tools.chat.length > 0 && { tools: tools.chat.map(({ tool }) => tool) }),
    // That of a relayed request may be a tool of the upstream.
    ...translateChoice(isRelayed ? undefined : body.tool_choice, tools.chat.length > 0),
    stream: body.stream ?? false,
  };
  const translateError = errorTranslator(
    conversation.paths,
    tools.chat.map(({ path }) => path),
  );
  const broken = firstBrokenRule(chat);
  if (broken) throw translateError(invalid(broken.param, broken.message, broken.code));
  return { chat, omittedTypes: [...new Set([...tools.omittedTypes, ...conversation.omittedTypes])], translateError };
}

/** Parameters that only upstreams of this API support. */
const hostedParameters = ['compaction', 'container', 'inference_geo', 'mcp_servers'] as const;

function assertWithoutHosted(body: PromptParams, { id }: ChatModel): void {
  const name = hostedParameters.find((each) => hasEffect(body[each]));
  if (name) throw unsupported(name, `Unsupported parameter: '${name}' is not supported with the model '${id}'.`);
}

/** @throws a 400 for blocks that only the upstream can read, where requests are moderated. */
function assertModeratable([type]: Iterable<string>, server: ServerContext): void {
  if (type === undefined || !moderatorsOf({}, server).some(({ input }) => input !== undefined)) return;
  const message = `Unsupported value: blocks of type '${type}' cannot be moderated, as this server does with requests.`;
  throw unsupportedValue('messages', message);
}

interface TranslatedTools {
  readonly chat: readonly { readonly tool: ChatCompletionTool; readonly path: string }[];
  readonly omittedTypes: readonly string[];
}

/** @throws a 400 for a tool of a hosted service, or of an unknown type, where it is refused. */
function translateTools(
  tools: readonly AnyTool[],
  unseen: { readonly hosted: 'omit' | 'refuse'; readonly other: 'omit' | 'refuse' },
): TranslatedTools {
  const omittedTypes: string[] = [];
  const chat = tools.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (isClientTool(tool)) return [{ tool: chatTool(tool), path }];
    const { type = '' } = tool;
    if (unseen.other === 'refuse' && !messageToolTypes.has(type))
      throw unknownType(`${path}.type`, type, new Set(['custom']));
    if (unseen.hosted === 'refuse') {
      const message = `Unsupported value: '${path}.type' is '${type}', which this server does not run. Leave it out.`;
      throw unsupportedValue(`${path}.type`, message);
    }
    omittedTypes.push(type);
    return [];
  });
  return { chat, omittedTypes };
}

type AnyTool = NonNullable<PromptParams['tools']>[number];

function isClientTool(tool: AnyTool): tool is MessageTool {
  return tool.type === undefined || tool.type === 'custom';
}

function chatTool({
  name,
  description,
  input_schema,
  input_examples: examples,
  strict,
}: MessageTool): ChatCompletionTool {
  const text = [
    ...(description === undefined ? [] : [description]),
    ...(examples ?? []).map((example) => `Example: ${JSON.stringify(example)}`),
  ].join('\n');
  return {
    type: 'function',
    function: {
      name,
      parameters: input_schema,
      ...(text !== '' && { description: text }),
      ...(strict === true && isStrictSchema(input_schema) && { strict }),
    },
  };
}

type ChoiceFields = Pick<ChatCompletionCreateParams, 'tool_choice' | 'parallel_tool_calls'>;

/** Without tools, a choice that demands a call is refused by the rules of chat requests. */
function translateChoice(choice: MessageCreateParams['tool_choice'], hasTools: boolean): ChoiceFields {
  if (!choice) return {};
  const toolChoice = chatChoice(choice);
  if (!hasTools && typeof toolChoice === 'string' && toolChoice !== 'required') return {};
  return {
    tool_choice: toolChoice,
    ...(hasTools && choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  };
}

function chatChoice(choice: NonNullable<MessageCreateParams['tool_choice']>): ToolChoice {
  switch (choice.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: choice.name } };
    default:
      return choice.type;
  }
}

const chatNames: readonly (readonly [RegExp, string])[] = [
  [/^max_completion_tokens\b/, 'max_tokens'],
  [/^stop\b/, 'stop_sequences'],
  [/^reasoning_effort\b/, 'output_config.effort'],
  [/^response_format\b.*/, 'output_config.format'],
  [/^parallel_tool_calls\b/, 'tool_choice.disable_parallel_tool_use'],
  [/^tool_choice\.function\b/, 'tool_choice'],
  [/^safety_identifier\b/, 'metadata.user_id'],
];

function errorTranslator(
  messages: readonly MessagePaths[],
  toolPaths: readonly string[],
): TranslatedMessage['translateError'] {
  function translate(path: string): string {
    const message = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/.exec(path);
    if (message) {
      const paths = messages[Number(message[1])];
      return paths?.parts[Number(message[2])] ?? paths?.message ?? 'messages';
    }
    const tool = /^tools\[(\d+)\](.*)$/.exec(path);
    if (tool) {
      const [, index, rest = ''] = tool;
      return (
        (toolPaths[Number(index)] ?? 'tools') +
        rest.replace(/\.function\b/, '').replace(/^\.parameters\b/, '.input_schema')
      );
    }
    for (const [pattern, name] of chatNames) if (pattern.test(path)) return path.replace(pattern, name);
    return path;
  }
  return (error) => renameFields(error, translate);
}
