import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionToolCall,
  ResponseAssistantMessage,
  ResponseCustomToolCallOutput,
  ResponseCustomToolCallParam,
  ResponseFunctionCallOutput,
  ResponseFunctionCallParam,
  ResponseInputContent,
  ResponseInputItem,
  ResponseInputMessage,
  ResponseReasoningParam,
} from '@modelwire/schema/types';
import { invalid, unsupported, unsupportedValue } from '../../errors.ts';
import { imageFileUrl } from '../../generation/image-files.ts';
import { decodeCompaction } from './compaction.ts';
import type { ToolNames } from './tool-names.ts';
import type { ToolSupport } from './tools.ts';

/** An item of the input with its place in the request, such as `input[3]`. */
export interface ItemWithPath {
  readonly item: ResponseInputItem;
  readonly path: string;
}

/** The conversation as chat messages, each with the path of its item. */
interface TranslatedMessages {
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly paths: readonly string[];
  /** Types of the items that were omitted because chat models do not support them, without duplicates. */
  readonly omittedTools: readonly string[];
}

type Call = ResponseFunctionCallParam | ResponseCustomToolCallParam;
type Output = ResponseFunctionCallOutput | ResponseCustomToolCallOutput;

interface CallWithOutput {
  readonly call: Call;
  readonly path: string;
  output: { readonly item: Output; readonly path: string } | undefined;
}

/** The reasoning, the texts and the calls of one assistant turn. */
interface AssistantTurn {
  readonly kind: 'assistant';
  readonly path: string;
  readonly reasoning: string[];
  readonly texts: string[];
  refusal: string | undefined;
  readonly calls: CallWithOutput[];
}

interface UserMessage {
  readonly kind: 'user';
  readonly path: string;
  readonly content: ResponseInputMessage['content'];
}

/**
 * Translates items to chat messages. All instructions are one leading system message, since many chat templates support only that. A message
 * and the calls next to it are one assistant message, and the outputs of calls follow it in the order of the calls. Searches of earlier
 * responses are left out, as are items of hosted tools and compactions of other servers.
 *
 * @param hostedTools What to do with items of hosted tools and compactions of other servers. `pass`: the engine receives them unchanged.
 * @throws a 400 for an output without a call before it, for a call without an output, and for an item that `hostedTools` refuses.
 */
export function translateMessages(
  items: readonly ItemWithPath[],
  instructions: string | undefined,
  { names, hostedTools, isRelayed }: { readonly names: ToolNames } & Pick<ToolSupport, 'hostedTools' | 'isRelayed'>,
): TranslatedMessages {
  const omittedTools = new Set<string>();
  const system = instructions === undefined ? [] : [{ text: instructions, path: 'instructions' }];
  const turns: (AssistantTurn | UserMessage)[] = [];
  const pendingCalls = new Map<string, CallWithOutput>();
  let currentTurn: AssistantTurn | undefined;

  function assistant(path: string): AssistantTurn {
    if (currentTurn) return currentTurn;
    currentTurn = { kind: 'assistant', path, reasoning: [], texts: [], refusal: undefined, calls: [] };
    turns.push(currentTurn);
    return currentTurn;
  }
  function addCall(call: Call, path: string): void {
    if (pendingCalls.has(call.call_id)) {
      throw invalid(
        `${path}.call_id`,
        `Invalid '${path}.call_id': there is another call with this ID that has no output yet.`,
      );
    }
    const added: CallWithOutput = { call, path, output: undefined };
    assistant(path).calls.push(added);
    pendingCalls.set(call.call_id, added);
  }
  function addOutput(item: Output, path: string): void {
    const pending = pendingCalls.get(item.call_id);
    if (!pending || !isOutputOf(item, pending.call)) {
      throw invalid(
        `${path}.call_id`,
        `No tool call found for the output in '${path}' with this 'call_id': the call must come before its output, and has one output.`,
      );
    }
    pending.output = { item, path };
    pendingCalls.delete(item.call_id);
    currentTurn = undefined;
  }

  function omit(type: string, path: string): void {
    if (hostedTools === 'refuse') throw hostedItem(path, type);
    if (hostedTools === 'omit') omittedTools.add(type);
  }

  for (const { item, path } of items) {
    switch (item.type) {
      case undefined:
      case 'message':
        if (item.role === 'assistant') addMessage(assistant(path), item);
        else if (item.role === 'user') {
          currentTurn = undefined;
          turns.push({ kind: 'user', path, content: item.content });
        } else system.push({ text: instructionText(item, path), path });
        break;
      case 'function_call':
      case 'custom_tool_call':
        addCall(item, path);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        addOutput(item, path);
        break;
      case 'compaction': {
        const summary = decodeCompaction(item.encrypted_content);
        if (summary === undefined) omit(item.type, path);
        else assistant(path).texts.push(`Summary of the conversation so far:\n${summary}`);
        break;
      }
      case 'reasoning':
        assistant(path).reasoning.push(...reasoningTexts(item, isRelayed));
        break;
      case 'web_search_call':
      case 'additional_tools':
      case 'item_reference':
        break;
      // Items of hosted tools, also of types that an upstream made and the API does not name.
      default:
        omit(item.type, path);
    }
  }
  const [missing] = pendingCalls.values();
  if (missing) {
    throw invalid(
      missing.path,
      `No tool output found for the call in '${missing.path}': an item of type '${missing.call.type}_output' with its 'call_id' must follow.`,
    );
  }
  const messages: ChatCompletionMessageParam[] = [];
  const paths: string[] = [];
  const add = (message: ChatCompletionMessageParam, path: string): void => {
    messages.push(message);
    paths.push(path);
  };
  const [first] = system;
  if (first) add({ role: 'system', content: system.map(({ text }) => text).join('\n\n') }, first.path);
  for (const turn of turns) {
    if (turn.kind === 'user')
      add({ role: 'user', content: userContent(turn.content, `${turn.path}.content`) }, turn.path);
    // Models take no message without text; that of a relayed request is moderated.
    else if (!isEmpty(turn) || (isRelayed && turn.reasoning.length > 0)) addTurn(turn, names, add);
  }
  return { messages, paths, omittedTools: [...omittedTools] };
}

function hostedItem(path: string, type: string): Error {
  return unsupportedValue(
    path,
    `Unsupported value: '${path}' is an item of the type '${type}', which this server cannot give to the model. Leave it out.`,
  );
}

type Add = (message: ChatCompletionMessageParam, path: string) => void;

function addMessage(turn: AssistantTurn, { content }: ResponseAssistantMessage): void {
  if (typeof content === 'string') {
    turn.texts.push(content);
    return;
  }
  const texts = content.flatMap((part) => (part.type === 'refusal' ? [] : [part.text]));
  const refusals = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  if (texts.length > 0) turn.texts.push(texts.join(''));
  if (refusals.length > 0) turn.refusal = (turn.refusal ?? '') + refusals.join('');
}

function isEmpty({ texts, refusal, calls }: AssistantTurn): boolean {
  return texts.length === 0 && refusal === undefined && calls.length === 0;
}

function addTurn({ path, reasoning, texts, refusal, calls }: AssistantTurn, names: ToolNames, add: Add): void {
  add(
    {
      role: 'assistant',
      ...((texts.length > 0 || (refusal === undefined && calls.length === 0)) && { content: texts.join('\n\n') }),
      ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n\n') }),
      ...(refusal !== undefined && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls.map(({ call }) => toolCall(call, names)) }),
    },
    path,
  );
  const attached: ChatCompletionContentPart[] = [];
  for (const { call, output } of calls) {
    if (!output) continue;
    const { text, attachments } = toolOutput(output.item, `${output.path}.output`);
    add({ role: 'tool', tool_call_id: call.call_id, content: text }, output.path);
    if (attachments.length > 0) {
      attached.push({ type: 'text', text: `Output of the call '${call.call_id}':` }, ...attachments);
    }
  }
  // Tool messages are text: other output of a tool follows as a user message.
  if (attached.length > 0) add({ role: 'user', content: attached }, path);
}

/** Its text, or else its summary; of a relayed request, both. */
function reasoningTexts({ content = [], summary = [] }: ResponseReasoningParam, isRelayed: boolean): readonly string[] {
  const read = isRelayed ? [...content, ...summary] : content.length > 0 ? content : summary;
  return read.map(({ text }) => text);
}

function isOutputOf(output: Output, call: Call): boolean {
  return output.type === `${call.type}_output`;
}

function toolCall(call: Call, names: ToolNames): ChatCompletionToolCall {
  const { call_id: id, namespace } = call;
  const name = names.engineName({ name: call.name, namespace });
  return call.type === 'function_call'
    ? { id, type: 'function', function: { name, arguments: call.arguments } }
    : { id, type: 'custom', custom: { name, input: call.input } };
}

function toolOutput(
  { output }: Output,
  path: string,
): { readonly text: string; readonly attachments: readonly ChatCompletionContentPart[] } {
  if (typeof output === 'string') return { text: output, attachments: [] };
  const text = output.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n');
  const attachments = output.flatMap((part, index) =>
    part.type === 'input_text' ? [] : [contentPart(part, `${path}[${index}]`)],
  );
  return { text: text === '' && attachments.length > 0 ? 'The output follows.' : text, attachments };
}

function instructionText({ content }: ResponseInputMessage, path: string): string {
  if (typeof content === 'string') return content;
  return content
    .map((part, index) => {
      if (part.type === 'input_text') return part.text;
      const param = `${path}.content[${index}].type`;
      throw invalid(param, `Invalid value for '${param}': instructions are text.`);
    })
    .join('');
}

function userContent(content: ResponseInputMessage['content'], path: string): string | ChatCompletionContentPart[] {
  if (typeof content === 'string') return content;
  const [first, ...rest] = content;
  if (!first) return '';
  if (rest.length === 0 && first.type === 'input_text' && !first.prompt_cache_breakpoint) return first.text;
  return content.map((part, index) => contentPart(part, `${path}[${index}]`));
}

function contentPart(part: ResponseInputContent, path: string): ChatCompletionContentPart {
  const { prompt_cache_breakpoint } = part;
  const breakpoint = prompt_cache_breakpoint && { prompt_cache_breakpoint };
  switch (part.type) {
    case 'input_text':
      return { type: 'text', text: part.text, ...breakpoint };
    case 'input_image': {
      const { image_url, file_id = '', detail } = part;
      const url = image_url ?? imageFileUrl(file_id);
      return { type: 'image_url', image_url: { url, ...(detail && { detail }) }, ...breakpoint };
    }
    case 'input_file': {
      const { file_data, file_id, file_url, filename } = part;
      if (file_url !== undefined) {
        throw unsupported(
          `${path}.file_url`,
          `Unsupported parameter: '${path}.file_url' is not supported: this server does not download files. Send 'file_data' or 'file_id'.`,
        );
      }
      return {
        type: 'file',
        file: {
          ...(file_data !== undefined && { file_data }),
          ...(file_id !== undefined && { file_id }),
          ...(filename !== undefined && { filename }),
        },
        ...breakpoint,
      };
    }
  }
}
