import { requireModel } from '../../generation/require-model.ts';
import type { Handlers } from '../../http/implement.ts';
import { messageErrorBody } from '../../http/message-errors.ts';
import { failStream, streamReply } from '../../streaming/event-pipe.ts';
import { runMessage } from './run-message.ts';

/** POST /messages: a chat generation in the form of the Anthropic Messages API. */
export const createMessage: Handlers['messages.create'] = async (call, server) => {
  const { model, engine } = requireModel('chat', call.body.model, server);
  if (!call.body.stream) return { status: 200, body: await runMessage({ call, server, model }) };
  return streamReply(
    call,
    server,
    engine,
    async (sink) => {
      try {
        await runMessage({
          call,
          server,
          model,
          emit: (event) => sink.write(serialized(event)),
          afterEvents: () => (sink.isFull ? sink.drained().then(() => !sink.isClosed) : !sink.isClosed),
        });
      } catch (thrown) {
        const error = failStream(thrown, call, sink);
        if (error) sink.write(serialized(messageErrorBody(error, call.requestId)));
      }
    },
    serialized({ type: 'ping' }),
  );
};

function serialized(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
