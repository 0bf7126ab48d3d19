import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { Call } from '../exchange/call.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertErrorShape, isMessages, isRejection, assertNamesParam } from './shape.ts';
import { assertConforms, Skip } from '../verdict.ts';

export interface RejectionInit extends Omit<CheckInit, 'run'> {
  /** The parameter that the error must name, or the alternatives; null for none. */
  readonly field: string | readonly string[] | null;
  readonly call: (context: RunContext) => Call | Promise<Call>;
  /** Further valid statuses, in addition to 400, 413, 415 and 422. */
  readonly statuses?: readonly number[];
}

/** Two checks of one request: that it is rejected, and that the error has the documented shape. */
export function rejectionChecks(endpoint: SubjectId, name: string, init: RejectionInit): readonly Check[] {
  const { field, call, statuses = [], ...rest } = init;
  const key = `${endpoint}/${name}`;
  const params = field === null ? [] : typeof field === 'string' ? [field] : field;
  const common = { weight: 1, ...rest };
  return [
    check(endpoint, name, {
      ...common,
      async run(context) {
        const response = await context.sendOnce(key, () => call(context));
        const isRejected = isRejection(response) || statuses.includes(response.status);
        assertConforms(response, isRejected, `The response has status ${response.status} instead of a 400.`);
      },
    }),
    check(endpoint, `${name}.named`, {
      ...common,
      title:
        params.length > 0
          ? `${rest.title}, naming ${params.join(' or ')}`
          : `${rest.title}, with the documented error shape`,
      section: 'companion',
      expectation: isMessages(endpoint)
        ? 'Errors are {"type": "error", "error": {type, message}}.'
        : 'Errors are {"error": {message, type, param, code}}, and param names the invalid field.',
      certainty: rest.certainty === 'opinion' ? 'opinion' : 'likely',
      async run(context) {
        const response = await context.sendOnce(key, () => call(context));
        if (!isRejection(response) && !statuses.includes(response.status))
          throw new Skip(`it was not rejected: see ${key}`);
        if (params.length > 0) assertNamesParam(response, params);
        else assertErrorShape(response);
      },
    }),
  ];
}
