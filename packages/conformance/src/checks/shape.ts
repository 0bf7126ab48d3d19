import { contract, errorBodySchema, problemOf } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { mediaTypeOf, succeeded } from '../exchange/answer.ts';
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
export function certaintyOf(id: EndpointId): Certainty {
  if (isExtension(id)) return 'opinion';
  return contract[id].section === 'companion' ? 'likely' : 'sure';
}

/** One level less certain, for rules that the document leaves open. */
export const likelyOrOpinion = (id: EndpointId): Certainty => (isExtension(id) ? 'opinion' : 'likely');

export const waitsForJob = (id: EndpointId): boolean => validCalls[id]?.job ?? false;

/** The response of the endpoint to a valid request, which must have succeeded. */
export async function sampleOf(world: World, id: EndpointId): Promise<Answer> {
  const serving = await world.serving(id);
  if (!serving.served) throw new Skip('the endpoint is not served');
  if (serving.answer === undefined) throw new Skip(serving.reason);
  if (!succeeded(serving.answer)) {
    throw new Skip(`a valid request returns ${serving.answer.status}: see ${id}/status`);
  }
  return serving.answer;
}

/** The statuses of rejected requests. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export const isRefusal = ({ status }: Answer): boolean => REFUSALS.has(status);

/** Throws unless the answer is an error in the one shape. */
export function hasErrorShape(answer: Answer): void {
  assertConforms(
    answer,
    mediaTypeOf(answer) === 'application/json',
    `The error's content-type is ${mediaTypeOf(answer) || 'missing'} instead of application/json.`,
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
export function namesParam(answer: Answer, params: readonly string[]): void {
  hasErrorShape(answer);
  const param = textAt(answer.json, 'error', 'param');
  const [head] = param === undefined ? [] : param.split(/[.[]/);
  assertConforms(
    answer,
    head !== undefined && params.includes(head),
    `The error's param is ${param === undefined ? 'null' : `'${param}'`}, but should name ${params.map((one) => `'${one}'`).join(' or ')}.`,
    'Name the invalid parameter in error.param, which clients display.',
  );
}
