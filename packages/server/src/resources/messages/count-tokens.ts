import { countTokens } from '../../admission/prompt-tokens.ts';
import { normalise } from '../../generation/plan.ts';
import { reportUnsupportedTools } from '../../generation/report-unsupported-tools.ts';
import { requireModel } from '../../generation/require-model.ts';
import type { Handlers } from '../../http/implement.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import { translateMessageRequest } from './chat-request.ts';

/** POST /messages/count_tokens: the count of the engine, or an estimate if it cannot count without generating. */
export const countMessageTokens: Handlers['messages.count_tokens'] = async (call, server) => {
  const { body, logRecord, principal } = call;
  const { model, engine } = requireModel('chat', body.model, server);
  assertModelAllowed(await server.policies.get(principal), [body.model, model.id]);
  logRecord.model = body.model;
  if (model.dialect === 'messages') {
    if (!engine.countMessageTokens) throw new Error('the engine does not speak the Messages API');
    const request = { body: { ...body }, betas: call.header('anthropic-beta') };
    const context = { requestId: call.requestId, model, signal: call.client.signal };
    return { status: 200, body: { input_tokens: await engine.countMessageTokens(request, context) } };
  }
  const { chat, omittedTypes } = translateMessageRequest(body, model, server.options.hostedTools);
  reportUnsupportedTools(omittedTypes, call);
  const { request } = normalise({ ...chat, model: model.id }, model, undefined);
  return { status: 200, body: { input_tokens: await countTokens(request, engine, call.client.signal) } };
};
