import type { MessageCountTokensParams } from '@modelwire/schema/types';
import { reportUpstreamTo } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError } from '../../errors.ts';
import { countTokens } from '../../admission/prompt-tokens.ts';
import { withoutUnsupportedFields } from '../../generation/assert-supported.ts';
import { moderatorsOf } from '../../generation/moderators.ts';
import { normalise } from '../../generation/plan.ts';
import { reportUnsupportedTools } from '../../generation/report-unsupported-tools.ts';
import { requireModel } from '../../generation/require-model.ts';
import type { Handlers } from '../../http/implement.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import { moderateInput } from '../../streaming/transforms/moderation.ts';
import { translateMessageRequest } from './chat-request.ts';

/** POST /messages/count_tokens: the count of the engine, or an estimate if it cannot count without generating. */
export const countMessageTokens: Handlers['messages.count_tokens'] = async (call, server) => {
  const { body, logRecord, principal } = call;
  const { model, engine } = requireModel('chat', body.model, server);
  assertModelAllowed(await server.policies.get(principal), [body.model, model.id]);
  logRecord.model = body.model;
  if (model.dialect === 'messages') return { status: 200, body: { input_tokens: await countAtUpstream(call, server) } };
  const { chat, omittedTypes } = translateMessageRequest(body, model, server);
  reportUnsupportedTools(omittedTypes, call);
  const read = withoutUnsupportedFields({ ...chat, model: model.id }, model, false);
  const { request } = normalise(read, model, undefined);
  return { status: 200, body: { input_tokens: await countTokens(request, engine, call.client.signal) } };
};

/** The prompt leaves this server only if it could be sent for a message. */
async function countAtUpstream(call: Call<MessageCountTokensParams>, server: ServerContext): Promise<number> {
  const { body, requestId, logRecord } = call;
  const { model, engine } = requireModel('chat', body.model, server);
  if (!engine.countMessageTokens) throw new Error('the engine does not speak the Messages API');
  const { chat, translateError } = translateMessageRequest(body, model, server);
  const memory = server.bodyMemory.reserve();
  try {
    for (const moderator of moderatorsOf({}, server))
      await moderateInput(moderator, chat.messages, { call, server, memory });
  } catch (error) {
    throw error instanceof RequestError ? translateError(error) : error;
  } finally {
    memory.release();
  }
  const request = { body: { ...body }, betas: call.header('anthropic-beta') };
  const { signal } = call.client;
  return engine.countMessageTokens(request, {
    requestId,
    model,
    signal,
    reportUpstream: reportUpstreamTo(logRecord),
  });
}
