import { contract, errorBodySchema, problemOf } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { mediaType, isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { textAt } from '../exchange/value.ts';
import type { Certainty } from '../report.ts';
import { validCalls } from '../world/calls.ts';
import type { World } from '../world/world.ts';
import { assertConforms, Skip } from '../verdict.ts';

/** Whether only some servers have the endpoint. */
export const isExtension = (id: EndpointId): boolean => extensionIds.includes(id);

export const extensionIds: readonly EndpointId[] = ['capabilities.retrieve', 'usage.completions'];

/** The certainty of rules of an endpoint: `sure` for the nine in the document, `likely` for those of the SDKs. */
export function endpointCertainty(id: EndpointId): Certainty {
  if (isExtension(id)) return 'opinion';
  return contract[id].section === 'companion' ? 'likely' : 'sure';
}

/** One level less certain, for rules that the document leaves open. */
export const likelyOrOpinion = (id: EndpointId): Certainty => (isExtension(id) ? 'opinion' : 'likely');

export const isJob = (id: EndpointId): boolean => validCalls[id]?.job ?? false;

/** The response of the endpoint to a valid request, which must have succeeded. */
export async function successfulSample(world: World, id: EndpointId): Promise<Answer> {
  const serving = await world.probe(id);
  if (!serving.served) throw new Skip('the endpoint is not served');
  if (serving.answer === undefined) throw new Skip(serving.reason);
  if (!isSuccess(serving.answer)) {
    throw new Skip(`a valid request returns ${serving.answer.status}: see ${id}/status`);
  }
  return serving.answer;
}

/** The statuses of rejected requests. */
const REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export const isRejection = ({ status }: Answer): boolean => REJECTION_STATUSES.has(status);

/** Throws unless the response is an error in the documented shape. */
export function assertErrorShape(answer: Answer): void {
  assertConforms(
    answer,
    mediaType(answer) === 'application/json',
    `The error's content-type is ${mediaType(answer) || 'missing'} instead of application/json.`,
  );
  const parsed = errorBodySchema.safeParse(answer.json);
  assertConforms(
    answer,
    parsed.success,
    `The error does not have the form {"error": {message, type, param, code}}. ${parsed.error ? problemOf(parsed.error, answer.json).message : ''}`,
    'Return errors as {"error": {"message": "…", "type": "invalid_request_error", "param": null, "code": null}}.',
  );
  assertConforms(answer, parsed.data.error.message.trim() !== '', 'The message of the error is empty.');
}

/** Throws unless the error names one of these parameters, or a place within one. */
export function assertNamesParam(answer: Answer, params: readonly string[]): void {
  assertErrorShape(answer);
  const param = textAt(answer.json, 'error', 'param');
  const [rootParam] = param === undefined ? [] : param.split(/[.[]/);
  assertConforms(
    answer,
    rootParam !== undefined && params.includes(rootParam),
    `The error's param is ${param === undefined ? 'null' : `'${param}'`}, but should name ${params.map((one) => `'${one}'`).join(' or ')}.`,
    'Name the invalid parameter in error.param, which clients display.',
  );
}
