import type { ChatCompletion, ChatCompletionMessage } from './chat-completion.ts';
import type {
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionRole,
} from './chat-messages.ts';
import type { ChatCompletionTool, ResponseFormat, ToolChoice } from './chat-tools.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { List, OrderedListParams } from './paging.ts';

/** A completion kept with `store: true`, as Update and List answer it (interface: Chat completion object). */
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
}

/** Body of Update chat completion. */
export interface ChatCompletionUpdateParams {
  readonly metadata: Readonly<Metadata>;
}

/** Query of List chat completions. */
export interface ChatCompletionListParams extends OrderedListParams {
  readonly model?: string;
  /** Only completions that carry all of these pairs. On the wire: `metadata[key]=value`. */
  readonly metadata?: Readonly<Metadata>;
}

/** Query of Get chat messages. */
export type ChatCompletionMessageListParams = OrderedListParams;

export type ChatCompletionList = List<StoredChatCompletion>;

/** A message of a stored completion. */
export interface ChatCompletionStoredMessage extends Omit<ChatCompletionMessage, 'role' | 'refusal'> {
  id: string;
  role: Open<ChatCompletionRole>;
  refusal?: string | null;
  /** The participant. */
  name?: string | null;
  content_parts?: (ChatCompletionContentPartText | ChatCompletionContentPartImage)[] | null;
}

export type ChatCompletionMessageList = List<ChatCompletionStoredMessage>;

export interface ChatCompletionDeleted {
  id: string;
  object: 'chat.completion.deleted';
  deleted: boolean;
}
