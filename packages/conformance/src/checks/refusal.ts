import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { Call } from '../exchange/call.ts';
import type { World } from '../world/world.ts';
import { hasErrorShape, isRefusal, namesParam } from './shape.ts';
import { assertConforms, Skip } from '../verdict.ts';

export interface RefusalInit extends Omit<CheckInit, 'run'> {
  /** The parameter that the error must name, or the alternatives; null for none. */
  readonly field: string | readonly string[] | null;
  readonly call: (world: World) => Call | Promise<Call>;
  /** Further valid statuses, in addition to 400, 413, 415 and 422. */
  readonly statuses?: readonly number[];
}

/** Two checks of one request: that it is rejected, and that the error has the documented shape. */
export function refusal(endpoint: SubjectId, name: string, init: RefusalInit): readonly Check[] {
  const { field, call, statuses = [], ...rest } = init;
  const key = `${endpoint}/${name}`;
  const params = field === null ? [] : typeof field === 'string' ? [field] : field;
  const refused = { weight: 1, ...rest };
  return [
    check(endpoint, name, {
      ...refused,
      async run(world) {
        const answer = await world.asked(key, () => call(world));
        const right = isRefusal(answer) || statuses.includes(answer.status);
        assertConforms(answer, right, `The response has status ${answer.status} instead of a 400.`);
      },
    }),
    check(endpoint, `${name}.named`, {
      ...refused,
      title:
        params.length > 0
          ? `${rest.title}, naming ${params.join(' or ')}`
          : `${rest.title}, with the documented error shape`,
      section: 'companion',
      expectation: 'Errors are {"error": {message, type, param, code}}, and param names the invalid field.',
      certainty: rest.certainty === 'opinion' ? 'opinion' : 'likely',
      async run(world) {
        const answer = await world.asked(key, () => call(world));
        if (!isRefusal(answer) && !statuses.includes(answer.status)) throw new Skip(`it was not rejected: see ${key}`);
        if (params.length > 0) namesParam(answer, params);
        else hasErrorShape(answer);
      },
    }),
  ];
}
