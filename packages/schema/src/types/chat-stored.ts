import type { ChatCompletion, ChatCompletionMessage } from './chat-completion.ts';
import type { ChatCompletionRole } from './chat-messages.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { List } from './paging.ts';
import type {
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionTool,
  ResponseFormat,
  ToolChoice,
} from './requests.ts';

/** A completion that was stored with `store: true`, as Update and List return it (API: Chat completion object). */
export interface StoredChatCompletion extends ChatCompletion {
  request_id?: string | null;
  tool_choice?: ToolChoice | null;
  seed?: number | null;
  top_p?: number | null;
  temperature?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  input_user?: string | null;
  tools?: ChatCompletionTool[] | null;
  metadata?: Metadata | null;
  response_format?: ResponseFormat | null;
  /** Only in a list with `view: 'summary'`: the first 200 characters of the first reply, or of its refusal. Null without text. */
  excerpt?: string | null;
  /** Only with `include: ['request_parameters']`: the model of the request, and its parameters that have no field here. */
  request_parameters?: Record<string, unknown> | null;
}

export type ChatCompletionList = List<StoredChatCompletion>;

/** A message of a stored completion. */
export interface ChatCompletionStoredMessage extends Omit<ChatCompletionMessage, 'role' | 'refusal'> {
  id: string;
  role: Open<ChatCompletionRole>;
  refusal?: string | null;
  /** Name of the participant. */
  name?: string | null;
  /** In a tool message: the ID of its tool call. */
  tool_call_id?: string;
  content_parts?: (ChatCompletionContentPartText | ChatCompletionContentPartImage)[] | null;
}

export type ChatCompletionMessageList = List<ChatCompletionStoredMessage>;

export interface ChatCompletionDeleted {
  id: string;
  object: 'chat.completion.deleted';
  deleted: boolean;
}
