import { contract, problemOf } from '@modelwire/schema';
import { errorBodySchema } from '@modelwire/schema/internal';
import type { EndpointId } from '@modelwire/schema';
import { mediaType, isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { fieldsOf, textAt } from '../exchange/value.ts';
import type { Phase, SubjectId } from '../check.ts';
import type { Certainty } from '../report.ts';
import { validCalls } from '../context/calls.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertConforms, assertStatus, Skip } from '../verdict.ts';

/** Whether it belongs to the Anthropic Messages API. */
export const isMessages = (id: SubjectId): boolean => id !== 'http' && contract[id].dialect === 'messages';

/** Whether only some servers have the endpoint. */
export const isExtension = (id: EndpointId): boolean => extensionIds.includes(id);

export const extensionIds: readonly EndpointId[] = [
  'capabilities.retrieve',
  'chat.completions.resume',
  'usage.completions',
];

/** The certainty of rules of an endpoint: `sure` for the nine in the document, `likely` for those of the SDKs. */
export function endpointCertainty(id: EndpointId): Certainty {
  if (isExtension(id)) return 'opinion';
  return contract[id].section === 'companion' ? 'likely' : 'sure';
}

/** One level less certain, for rules that the document leaves open. */
export const likelyOrOpinion = (id: EndpointId): Certainty => (isExtension(id) ? 'opinion' : 'likely');

/** When checks of a valid request to the endpoint run. */
export const phaseOf = (id: EndpointId): Phase => validCalls[id]?.phase ?? 'together';

/** The response of the endpoint to a valid request, which must have succeeded. */
export async function successfulSample(context: RunContext, id: EndpointId): Promise<CompleteResponse> {
  const serving = await context.probe(id);
  if (!serving.served) throw new Skip('the endpoint is not served');
  if (serving.response === undefined) throw new Skip(serving.reason);
  if (!isSuccess(serving.response)) {
    throw new Skip(`a valid request returns ${serving.response.status}: see ${id}/status`);
  }
  return serving.response;
}

/** The statuses of rejected requests. */
const REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export const isRejection = ({ status }: CompleteResponse): boolean => REJECTION_STATUSES.has(status);

/** Throws unless the response is an error in the documented shape. */
export function assertErrorShape(response: CompleteResponse): void {
  if (response.sent.path.startsWith('/messages')) assertMessageError(response);
  else assertOpenAIError(response);
}

/** Throws unless a path that no server has, below this one, gets a 404 in the documented shape. */
export async function assertUnknownPath(context: RunContext, method: 'GET' | 'POST', below: string): Promise<void> {
  const response = await context.sendOnce(`${method} ${below} nowhere`, () => ({
    method,
    path: `${below}/${context.runId}`,
    ...(method === 'POST' && { body: {} }),
  }));
  assertStatus(response, 404);
  assertErrorShape(response);
}

/** The types of errors in the documentation of the Messages API. */
const messageErrorTypes: ReadonlySet<unknown> = new Set([
  ...['invalid_request_error', 'authentication_error', 'billing_error', 'permission_error', 'not_found_error'],
  ...['conflict_error', 'request_too_large', 'rate_limit_error', 'timeout_error', 'api_error', 'overloaded_error'],
]);

function assertMessageError(response: CompleteResponse): void {
  const { type, error } = fieldsOf(response.json);
  const { type: errorType, message } = fieldsOf(error);
  assertConforms(
    response,
    type === 'error' && messageErrorTypes.has(errorType),
    'The error does not have the form {"type": "error", "error": {type, message}} with a documented type.',
  );
  assertConforms(response, typeof message === 'string' && message !== '', 'The error has no message.');
}

function assertOpenAIError(response: CompleteResponse): void {
  assertConforms(
    response,
    mediaType(response) === 'application/json',
    `The error's content-type is ${mediaType(response) || 'missing'} instead of application/json.`,
  );
  const parsed = errorBodySchema.safeParse(response.json);
  assertConforms(
    response,
    parsed.success,
    `The error does not have the form {"error": {message, type, param, code}}. ${parsed.error ? problemOf(parsed.error, response.json).message : ''}`,
    'Return errors as {"error": {"message": "…", "type": "invalid_request_error", "param": null, "code": null}}.',
  );
  assertConforms(response, parsed.data.error.message.trim() !== '', 'The message of the error is empty.');
}

/** Throws unless the error names one of these parameters, or a place within one. */
export function assertNamesParam(response: CompleteResponse, params: readonly string[]): void {
  assertErrorShape(response);
  const param = textAt(response.json, 'error', 'param');
  const [rootParam] = param === undefined ? [] : param.split(/[.[]/);
  assertConforms(
    response,
    rootParam !== undefined && params.includes(rootParam),
    `The error's param is ${param === undefined ? 'null' : `'${param}'`}, but should name ${params.map((one) => `'${one}'`).join(' or ')}.`,
    'Name the invalid parameter in error.param, which clients display.',
  );
}
