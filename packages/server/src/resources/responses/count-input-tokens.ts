import { RequestError } from '../../errors.ts';
import { withoutUnsupportedFields } from '../../generation/assert-supported.ts';
import { requireModel } from '../../generation/require-model.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import { normalise } from '../../generation/plan.ts';
import { countTokens } from '../../admission/prompt-tokens.ts';
import { prepareResponse } from './prepare-response.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /responses/input_tokens: the count of the engine, or an estimate if it cannot count without generating. */
export const countInputTokens: Handlers['responses.input_tokens.count'] = async (call, server) => {
  const { personality: _, ...body } = call.body;
  const model = body.model ?? server.options.defaultModel;
  if (model === undefined) {
    throw new RequestError("Missing required parameter: 'model'.", {
      status: 400,
      code: 'missing_required_parameter',
      param: 'model',
    });
  }
  const resolved = requireModel('chat', model, server);
  assertModelAllowed(await server.policies.get(call.principal), [model, resolved.model.id]);
  call.logRecord.model = model;
  const { translated, native } = await prepareResponse(call, { ...body, model }, server);
  const chat = { ...translated.chat, model: resolved.model.id };
  const read = withoutUnsupportedFields(chat, resolved.model, native !== undefined);
  const { request } = normalise(read, resolved.model, undefined);
  const input_tokens = await countTokens(request, resolved.engine, call.client.signal);
  return { status: 200, body: { object: 'response.input_tokens', input_tokens } };
};
