import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { Answer } from '../exchange/answer.ts';
import type { World } from '../world/world.ts';
import { askChat } from './chat/ask.ts';
import { namesParam } from './shape.ts';
import { holds } from '../verdict.ts';

export interface HonouredInit extends Omit<CheckInit, 'run'> {
  /** What is sent besides model and messages. */
  readonly fields: object;
  /** What an honest refusal may name. */
  readonly param: string | readonly string[];
  /** Throws unless the answer shows the effect. Default: there is none to see. */
  readonly effect?: (answer: Answer, world: World) => void | Promise<void>;
}

/** A parameter has its effect, or is refused with a 400 that names it: nothing is dropped silently. */
export function honoured(endpoint: SubjectId, name: string, init: HonouredInit): Check {
  const { fields, param, effect, ...rest } = init;
  const params = typeof param === 'string' ? [param] : param;
  return check(endpoint, name, {
    ...rest,
    says:
      rest.says ?? `${rest.title}; a model that cannot do it refuses it with a 400 that names ${params.join(' or ')}.`,
    run: async (world) => judge(await askChat(world, fields), params, world, effect),
  });
}

export async function judge(
  answer: Answer,
  params: readonly string[],
  world: World,
  effect?: HonouredInit['effect'],
): Promise<string | undefined> {
  if (answer.status === 400) {
    namesParam(answer, params);
    return 'Refused honestly.';
  }
  holds(
    answer,
    answer.status === 200,
    `It is answered with ${answer.status}, and neither honoured nor refused with a 400.`,
  );
  await effect?.(answer, world);
  return undefined;
}
