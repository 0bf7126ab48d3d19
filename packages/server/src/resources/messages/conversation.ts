import { messageBlockTypes } from '@modelwire/schema/internal';
import type {
  ChatCompletionMessageParam,
  ChatCompletionToolCall,
  MessageAssistantBlockParam,
  MessageCountTokensParams,
  MessageOtherBlockParam,
  MessageParam,
  MessageTextBlockParam,
  MessageToolResultBlockParam,
  MessageUserBlockParam,
} from '@modelwire/schema/types';
import { invalid, quoteAll, unsupportedValue } from '../../errors.ts';
import { contentOf, partsOf, resultText } from './content-parts.ts';
import type { PartWithPath, Relaying } from './content-parts.ts';

/** A conversation as chat messages. */
interface TranslatedConversation {
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Where each message comes from, and each of its parts. */
  readonly paths: readonly MessagePaths[];
  /** Types of the blocks that were omitted because the model does not see them. */
  readonly omittedTypes: ReadonlySet<string>;
}

export interface MessagePaths {
  readonly message: string;
  readonly parts: readonly string[];
}

interface BlockWithPath<Block> {
  readonly block: Block;
  readonly path: string;
}

/** Consecutive messages of one role, which are one turn. */
type Turn =
  | { readonly role: 'user'; readonly path: string; readonly blocks: BlockWithPath<MessageUserBlockParam>[] }
  | { readonly role: 'assistant'; readonly path: string; readonly blocks: BlockWithPath<MessageAssistantBlockParam>[] };

/**
 * Translates a conversation to chat messages. All instructions are one leading system message, since many chat templates support only that.
 * Results of tools become tool messages in the order of their calls; images and documents among them follow as a user message.
 *
 * @throws a 400 for a result without a call in the turn before it, for a call without a result, and, unless the conversation is relayed, for a
 * block of an unknown type.
 */
export function translateConversation(
  { messages, system }: Pick<MessageCountTokensParams, 'messages' | 'system'>,
  relaying: Relaying,
): TranslatedConversation {
  const omittedTypes = new Set<string>();
  const instructions = [{ text: textOf(system ?? ''), path: 'system' }];
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'system') instructions.push({ text: textOf(message.content), path });
    else addToTurn(message, path);
  }
  const translated: { message: ChatCompletionMessageParam; paths: MessagePaths }[] = [];
  const given = instructions.filter(({ text }) => text !== '');
  if (given[0]) {
    const content = given.map(({ text }) => text).join('\n\n');
    translated.push({ message: { role: 'system', content }, paths: { message: given[0].path, parts: [] } });
  }
  let calls = new Map<string, string>();
  for (const turn of turns) {
    if (turn.role === 'user') {
      addUserTurn(turn.blocks, calls);
      calls = new Map();
    } else {
      calls = callsOf(turn.blocks);
      addAssistantTurn(turn);
    }
  }
  const [unanswered] = calls.values();
  if (unanswered !== undefined) throw missingResult(unanswered);
  return {
    messages: translated.map(({ message }) => message),
    paths: translated.map(({ paths }) => paths),
    omittedTypes,
  };

  function addToTurn(message: Exclude<MessageParam, { readonly role: 'system' }>, path: string): void {
    const last = turns.at(-1);
    if (message.role === 'user') {
      const blocks = knownBlocks(message.role, message.content, path);
      if (last?.role === 'user') last.blocks.push(...blocks);
      else turns.push({ role: 'user', path, blocks });
    } else {
      const blocks = knownBlocks(message.role, message.content, path);
      if (last?.role === 'assistant') last.blocks.push(...blocks);
      else turns.push({ role: 'assistant', path, blocks });
    }
  }

  /** The others go to the upstream only. */
  function knownBlocks<Block extends { readonly type: string }>(
    role: keyof typeof messageBlockTypes,
    content: string | readonly (Block | MessageOtherBlockParam)[],
    messagePath: string,
  ): BlockWithPath<Block | MessageTextBlockParam>[] {
    if (typeof content === 'string')
      return [{ block: { type: 'text', text: content }, path: `${messagePath}.content` }];
    return content.flatMap((block, index) => {
      const path = `${messagePath}.content[${index}]`;
      if (isKnown(block)) return [{ block, path }];
      if (!relaying.isRelayed) throw unknownType(`${path}.type`, block.type, messageBlockTypes[role]);
      omittedTypes.add(block.type);
      return [];
    });
  }

  function addUserTurn(blocks: readonly BlockWithPath<MessageUserBlockParam>[], expected: Map<string, string>): void {
    const results = new Map<string, BlockWithPath<MessageToolResultBlockParam>>();
    const parts: PartWithPath[] = [];
    for (const { block, path } of blocks) {
      if (block.type !== 'tool_result') parts.push(...partsOf(block, path, relaying));
      else if (expected.has(block.tool_use_id) && !results.has(block.tool_use_id))
        results.set(block.tool_use_id, { block, path });
      else throw unexpectedResult(path);
    }
    const attachments: PartWithPath[] = [];
    for (const [id, callPath] of expected) {
      const result = results.get(id);
      if (!result) throw missingResult(callPath);
      const { text, attached } = resultText(result.block, result.path, relaying);
      translated.push({
        message: { role: 'tool', tool_call_id: id, content: text },
        paths: { message: result.path, parts: [] },
      });
      attachments.push(...attached);
    }
    const all = [...attachments, ...parts];
    if (all.length === 0 && expected.size > 0) return;
    translated.push({
      message: { role: 'user', content: contentOf(all) },
      paths: { message: blocks[0]?.path ?? 'messages', parts: all.map(({ path }) => path) },
    });
  }

  function addAssistantTurn({ blocks, path }: Extract<Turn, { readonly role: 'assistant' }>): void {
    const text = blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])).join('');
    const toolCalls = blocks.flatMap(({ block }) => toolCall(block));
    const reasoning = blocks.flatMap(({ block }) => (block.type === 'thinking' ? [block.thinking] : [])).join('');
    for (const { block } of blocks) if (!shownTypes.has(block.type)) omittedTypes.add(block.type);
    // Models take no empty message; that of a relayed request is moderated.
    if (text === '' && toolCalls.length === 0 && !(relaying.isRelayed && reasoning !== '')) return;
    translated.push({
      message: {
        role: 'assistant',
        ...((text !== '' || toolCalls.length === 0) && { content: text }),
        ...(reasoning !== '' && { reasoning_content: reasoning }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      },
      paths: { message: path, parts: [] },
    });
  }
}

/** The text of `redacted_thinking` is not known. */
const shownTypes: ReadonlySet<string> = new Set(['text', 'tool_use', 'thinking', 'redacted_thinking']);

function textOf(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n\n');
}

/** The calls of a turn by ID, each with its path. */
function callsOf(blocks: readonly BlockWithPath<MessageAssistantBlockParam>[]): Map<string, string> {
  const calls = new Map<string, string>();
  for (const { block, path } of blocks) {
    if (block.type !== 'tool_use') continue;
    if (calls.has(block.id)) throw invalid(`${path}.id`, `Invalid '${path}.id': another call has this ID.`);
    calls.set(block.id, path);
  }
  return calls;
}

function toolCall(block: MessageAssistantBlockParam): ChatCompletionToolCall[] {
  if (block.type !== 'tool_use') return [];
  const { id, name, input } = block;
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}

function isKnown<Block extends { readonly type: string }>(block: Block | MessageOtherBlockParam): block is Block {
  return messageBlockTypes.user.has(block.type) || messageBlockTypes.assistant.has(block.type);
}

/** @param supported The types that the other models support. */
export function unknownType(path: string, type: string, supported: ReadonlySet<unknown>): Error {
  const names = [...supported].filter((each) => typeof each === 'string');
  return unsupportedValue(
    path,
    `Unsupported value: '${path}' is '${type}', which only models of upstreams of the Messages API can support. Others support: ${quoteAll(names)}.`,
  );
}

function missingResult(path: string): Error {
  return invalid(
    path,
    `No result found for the call in '${path}': a block of type 'tool_result' with its ID must be in the next message.`,
  );
}

function unexpectedResult(path: string): Error {
  return invalid(
    `${path}.tool_use_id`,
    `No call found for the result in '${path}': the message before it must contain the call, and a call has one result.`,
  );
}
