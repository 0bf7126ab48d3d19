import { check } from '../check.ts';
import type { Check, CheckInit, SubjectId } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import type { RunContext } from '../context/run-context.ts';
import { sendChat } from './chat/send.ts';
import { assertNamesParam } from './shape.ts';
import { assertConforms, Skip } from '../verdict.ts';

export interface ParameterEffectInit extends Omit<CheckInit, 'run'> {
  /** Fields in addition to model and messages or input. */
  readonly fields: object;
  /** Sends the request. Default: a chat. */
  readonly send?: (context: RunContext, fields: object) => Promise<CompleteResponse>;
  /** The parameters that a 400 can name. */
  readonly param: string | readonly string[];
  /** Throws unless the response shows the effect. Default: no visible effect. */
  readonly effect?: (response: CompleteResponse, context: RunContext) => void | Promise<void>;
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
    run: async (context) => verifyEffect(await send(context, fields), params, context, effect),
  });
}

const limitReasons: ReadonlySet<unknown> = new Set(['length', 'max_tokens', 'incomplete']);

/** Throws a `Skip` if a limit ended the reply, which says so: its JSON is not complete. @param end Its finish reason or status. */
export function assertNotCut(end: string | undefined): void {
  if (limitReasons.has(end)) throw new Skip('the reply reached the token limit of the server');
}

async function verifyEffect(
  response: CompleteResponse,
  params: readonly string[],
  context: RunContext,
  effect?: ParameterEffectInit['effect'],
): Promise<string | undefined> {
  if (response.status === 400) {
    assertNamesParam(response, params);
    return 'Rejected with a 400 that names it.';
  }
  assertConforms(
    response,
    response.status === 200,
    `The response has status ${response.status}: the parameter is neither applied nor rejected with a 400.`,
  );
  await effect?.(response, context);
  return undefined;
}
