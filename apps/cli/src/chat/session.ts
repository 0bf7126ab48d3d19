import { AbortError } from '@modelwire/client';
import type { ChatCompletionContentPart, ChatCompletionMessageParam, CompletionUsage } from '@modelwire/client';
import type { App } from '../app.ts';
import { describeError } from '../describe-error.ts';
import { saveConversation } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import type { ChatFlags, ChatOptions, ChatParams } from './options.ts';
import { contentOf } from './prompt.ts';
import { reply } from './reply.ts';
import { openReplyWriter } from './reply-writer.ts';

/** An interactive chat. Slash commands change its fields. */
export interface Session {
  conversation: Conversation;
  params: ChatParams;
  /** Attachments of the next message. */
  attached: ChatCompletionContentPart[];
  usage: CompletionUsage | undefined;
  /** Sends a message and prints the reply. Never rejects: an error is printed, and `retry` sends the message again. */
  send(text: string): Promise<void>;
  /** Sends the last message again. False if there is none. */
  retry(): Promise<boolean>;
  /** Removes the last message and its reply. False if there is none. */
  undo(): boolean;
}

export function createSession(app: App, flags: ChatFlags, options: ChatOptions): Session {
  const { terminal, print } = app;
  /** The last message if it received no reply. It is not part of the conversation, so that the next message does not send it again. */
  let failed: ChatCompletionMessageParam | undefined;
  const session: Session = {
    conversation: options.conversation,
    params: options.params,
    attached: [],
    usage: undefined,
    async send(text) {
      const content = contentOf({ text, parts: session.attached });
      if (content === '') return;
      session.attached = [];
      await requestReply({ role: 'user', content });
    },
    async retry() {
      const message = failed ?? removeLastTurn();
      if (message === undefined) return false;
      await requestReply(message);
      return true;
    },
    undo() {
      const isFailed = failed !== undefined;
      failed = undefined;
      return isFailed || removeLastTurn() !== undefined;
    },
  };
  return session;

  /** Removes the last user message and everything after it, and returns the message. */
  function removeLastTurn(): ChatCompletionMessageParam | undefined {
    const { messages } = session.conversation;
    const at = messages.findLastIndex(({ role }) => role === 'user');
    if (at !== -1) session.conversation = { ...session.conversation, messages: messages.slice(0, at) };
    return messages[at];
  }

  async function requestReply(message: ChatCompletionMessageParam): Promise<void> {
    failed = message;
    const controller = new AbortController();
    const release = terminal.onInterrupt(() => controller.abort());
    const writer = await openReplyWriter(app, flags);
    let received = '';
    try {
      const conversation = { ...session.conversation, messages: [...session.conversation.messages, message] };
      const result = await reply(
        app,
        flags,
        { ...options, conversation, params: session.params },
        {
          text: (delta) => {
            received += delta;
            return writer.write(delta);
          },
          refusal: (delta) => writer.write(delta),
          call: (name, input) => print.note(`→ ${name} ${input}`),
          pause: () => writer.end(),
        },
        controller.signal,
      );
      await writer.end();
      const reason = result.completion.choices[0]?.finish_reason;
      if (reason === 'length') print.note('(The reply reached the token limit.)');
      if (result.reachedMaxSteps) print.note('(The maximum number of steps was reached.)');
      session.usage = result.completion.usage ?? undefined;
      await add(message, result.messages);
    } catch (error) {
      await writer.end().catch(() => undefined);
      if (error instanceof AbortError || controller.signal.aborted) {
        print.note('(Stopped.)');
        // A partial reply is kept, so that the model can be asked to continue.
        if (received !== '') await add(message, [{ role: 'assistant', content: received }]);
        return;
      }
      const description = describeError(error, app.baseURL);
      print.error(description.message, description.hint);
      print.note('(The message was not added to the chat. /retry sends it again.)');
    } finally {
      release();
    }
  }

  async function add(message: ChatCompletionMessageParam, replies: Conversation['messages']): Promise<void> {
    failed = undefined;
    const { messages } = session.conversation;
    session.conversation = { ...session.conversation, messages: [...messages, message, ...replies] };
    if (!flags.history) return;
    // A full disk does not end the chat.
    await saveConversation(terminal, session.conversation).catch((error: unknown) =>
      print.warn(`The chat cannot be saved: ${describeError(error).message}`),
    );
  }
}
