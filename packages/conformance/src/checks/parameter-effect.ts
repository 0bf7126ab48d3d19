import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { Answer } from '../exchange/answer.ts';
import type { World } from '../world/world.ts';
import { sendChat } from './chat/ask.ts';
import { assertNamesParam } from './shape.ts';
import { assertConforms } from '../verdict.ts';

export interface ParameterEffectInit extends Omit<CheckInit, 'run'> {
  /** Fields in addition to model and messages or input. */
  readonly fields: object;
  /** Sends the request. Default: a chat. */
  readonly send?: (world: World, fields: object) => Promise<Answer>;
  /** The parameters that a 400 can name. */
  readonly param: string | readonly string[];
  /** Throws unless the response shows the effect. Default: no visible effect. */
  readonly effect?: (answer: Answer, world: World) => void | Promise<void>;
}

/** Checks that a parameter has its effect, or is rejected with a 400 that names it: nothing is dropped silently. */
export function parameterEffect(endpoint: SubjectId, name: string, init: ParameterEffectInit): Check {
  const { fields, param, effect, send = sendChat, ...rest } = init;
  const params = typeof param === 'string' ? [param] : param;
  return check(endpoint, name, {
    ...rest,
    expectation:
      rest.expectation ??
      `${rest.title}; a model without support rejects it with a 400 that names ${params.join(' or ')}.`,
    run: async (world) => verifyEffect(await send(world, fields), params, world, effect),
  });
}

export async function verifyEffect(
  answer: Answer,
  params: readonly string[],
  world: World,
  effect?: ParameterEffectInit['effect'],
): Promise<string | undefined> {
  if (answer.status === 400) {
    assertNamesParam(answer, params);
    return 'Rejected with a 400 that names it.';
  }
  assertConforms(
    answer,
    answer.status === 200,
    `The response has status ${answer.status}: the parameter is neither applied nor rejected with a 400.`,
  );
  await effect?.(answer, world);
  return undefined;
}
