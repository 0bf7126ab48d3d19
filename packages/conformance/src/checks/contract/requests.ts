import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import * as z from 'zod';
import type { Check, Phase } from '../../check.ts';
import { isSuccess } from '../../exchange/response.ts';
import { fieldsOf } from '../../exchange/value.ts';
import { validCall } from '../../context/calls.ts';
import type { RunContext } from '../../context/run-context.ts';
import { rejectionChecks } from '../refusal.ts';
import { endpointCertainty, isExtension, likelyOrOpinion, phaseOf } from '../shape.ts';
import { Skip } from '../../verdict.ts';

/** Whether each request field is required where documented, has its type, and unknown fields are not dropped. */
export function requestChecks(id: EndpointId): readonly Check[] {
  const { request, section, query } = contract[id];
  if (isExtension(id)) return [];
  const body = request.find(({ type }) => type === 'application/json');
  const phase = phaseOf(id);
  const checks: Check[] = [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = body?.schema.shape ?? {};
  for (const [field, schema] of Object.entries(shape)) {
    const at = { field, section, phase, certainty: endpointCertainty(id) };
    if (!accepts(schema, undefined)) {
      checks.push(
        ...rejectionChecks(id, `request.${field}.missing`, {
          ...at,
          title: `A request without ${field} is refused`,
          call: (context) => withBodyField(context, id, field, undefined),
        }),
      );
    }
    const invalid = INVALID_VALUES.find((value) => !accepts(schema, value));
    if (invalid === undefined) continue;
    checks.push(
      ...rejectionChecks(id, `request.${field}.type`, {
        ...at,
        title: `Rejects a ${field} of another type`,
        call: (context) => withBodyField(context, id, field, invalid),
      }),
    );
  }
  if (body) {
    checks.push(
      ...rejectionChecks(id, 'request.unknown', {
        field: 'conformance_unknown',
        title: 'Rejects an unknown parameter instead of dropping it',
        section: 'companion',
        certainty: 'likely',
        phase,
        call: (context) => withBodyField(context, id, 'conformance_unknown', 1),
      }),
    );
  }
  if (Object.keys(query.shape).length > 0) checks.push(...queryChecks(id, section, Object.keys(query.shape), phase));
  return checks;
}

function queryChecks(id: EndpointId, section: string, names: readonly string[], phase: Phase): readonly Check[] {
  const certainty = likelyOrOpinion(id);
  const invalid = (field: string, value: string, title: string): readonly Check[] =>
    names.includes(field)
      ? rejectionChecks(id, `query.${field}.${value}`, {
          field,
          title,
          section,
          certainty,
          phase,
          call: (context) => withQueryParameter(context, id, field, value),
        })
      : [];
  return [
    ...invalid('limit', '-1', 'A limit below 0 is refused'),
    ...invalid('limit', 'many', 'Rejects a limit that is not a number'),
    ...invalid('order', 'sideways', 'Rejects an order other than asc and desc'),
    ...invalid('variant', 'smell', 'Rejects an unknown variant'),
    ...rejectionChecks(id, 'query.unknown', {
      field: 'conformance_unknown',
      title: 'Rejects an unknown query parameter instead of dropping it',
      section: 'companion',
      certainty: 'opinion',
      phase,
      call: (context) => withQueryParameter(context, id, 'conformance_unknown', '1'),
    }),
  ];
}

/** Each typed field rejects one of these. */
const INVALID_VALUES: readonly unknown[] = [{ wrong: 1 }, 'a string where none is allowed', 7.25, true, []];

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  // zod may throw on unexpected schemas; schemas outside its main build accept anything.
  try {
    return !(schema instanceof z.ZodType) || schema.safeParse(value).success;
  } catch {
    return true;
  }
}

async function withBodyField(context: RunContext, id: EndpointId, field: string, value: unknown) {
  const call = await validCall(context, id);
  return { ...call, body: { ...fieldsOf(call.body), [field]: value } };
}

/** The valid call with one more query parameter; only for endpoints that respond to the valid one. */
async function withQueryParameter(context: RunContext, id: EndpointId, field: string, value: string) {
  const serving = await context.probe(id);
  if (!serving.served || serving.response === undefined || !isSuccess(serving.response)) {
    throw new Skip('a valid request does not succeed');
  }
  const call = await validCall(context, id);
  const rest = (call.query ?? []).filter(([name]) => name !== field);
  return { ...call, query: [...rest, [field, value] as const] };
}
