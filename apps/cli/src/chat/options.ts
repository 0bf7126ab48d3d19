import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ChatClient, ChatCompletionCreateParamsBase } from '@modelwire/client';
import { choice, collect, collectJsonPairs, collectPairs, numberFrom, positiveInteger } from '../option-values.ts';
import type { Conversation } from './conversation.ts';
import type { CommandTool, ToolContext } from './tools.ts';

/** Adds the options that chats and responses have in common. */
export function withGenerationOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option('-m, --model <model>', 'Model (MODELWIRE_MODEL)')
    .option(
      '-f, --file <file>',
      'Attach a file: text, document, audio, or the ID of an uploaded file (repeatable)',
      collect,
    )
    .option('--image <path>', 'Attach an image: a path or URL (repeatable)', collect)
    .option('--schema <file>', 'Reply in JSON that matches a JSON Schema: a file, or inline JSON')
    .option('-t, --temperature <n>', 'Sampling temperature, 0 to 2', numberFrom({ min: 0, max: 2 }))
    .option('--top-p <n>', 'Nucleus sampling, 0 to 1', numberFrom({ min: 0, max: 1 }))
    .option('--max-tokens <n>', 'Maximum number of tokens in the reply', positiveInteger)
    .option('--effort <level>', 'Reasoning effort: none, minimal, low, medium, high or xhigh')
    .addOption(choice('--verbosity <level>', 'Length of the reply', ['low', 'medium', 'high']))
    .option('--service-tier <tier>', 'Service tier: auto, default, flex or priority')
    .option('--metadata <key=value>', 'Metadata of what the server stores (repeatable)', collectPairs)
    .option('--param <name=json>', 'Any other request parameter, such as logprobs=true (repeatable)', collectJsonPairs)
    .option('--no-stdin', 'Do not read stdin; for scripts that leave it open')
    .option('--no-stream', 'Wait for the complete reply')
    .option('--plain', 'Do not render Markdown');
}

/** Adds the options of `modelwire chat`. */
export function withChatOptions(command: Command) {
  return withGenerationOptions(command)
    .option('-s, --system <text>', 'System message')
    .option(
      '--tool <spec>',
      "Command that the model can call: 'name(city, days?: integer) = command {city}', or @file.json (repeatable)",
      collect,
    )
    .option('--approve', 'Ask for confirmation before each tool call')
    .option('--max-steps <n>', 'Maximum number of requests when tools are called (default: 10)', positiveInteger)
    .option('--seed <n>', 'Seed for reproducible replies, if the model supports it', numberFrom({ isInteger: true }))
    .option('--stop <text>', 'Stop before this text (repeatable)', collect)
    .option('--store', 'Store the completion on the server')
    .option('-c, --continue', 'Continue the last chat')
    .option('-r, --resume <chat-id>', 'Continue a saved chat (modelwire chats list)')
    .option('--no-history', 'Do not save this chat on this machine')
    .option('-i, --interactive', 'Stay in the chat after the first reply')
    .option('--chunks', 'Print each chunk of the stream as a line of JSON');
}

export type ChatFlags = ReturnType<ReturnType<typeof withChatOptions>['opts']>;

/** Parameters of each request besides model, messages and tools. */
export type ChatParams = Omit<ChatCompletionCreateParamsBase, 'model' | 'messages' | 'tools' | 'stream'>;

/** Options of a chat, interactive or not. */
export interface ChatOptions {
  readonly chat: ChatClient;
  readonly conversation: Conversation;
  readonly params: ChatParams;
  readonly tools: readonly CommandTool[];
  /** Maximum number of requests when tools are called. */
  readonly maxSteps: number;
  readonly approve: ToolContext['approve'];
}
