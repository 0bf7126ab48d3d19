import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import * as z from 'zod';
import type { Check } from '../../check.ts';
import { succeeded } from '../../exchange/answer.ts';
import { fieldsOf } from '../../exchange/value.ts';
import { properCall } from '../../world/calls.ts';
import type { World } from '../../world/world.ts';
import { refusal } from '../refusal.ts';
import { certaintyOf, isExtension, lessSure, waitsForJob } from '../shape.ts';
import { Skip } from '../../verdict.ts';

/** That each field of a request is needed where it is, has its type, and that no others are dropped. */
export function requestChecks(id: EndpointId): readonly Check[] {
  const { request, section, query } = contract[id];
  if (isExtension(id)) return [];
  const body = request.find(({ type }) => type === 'application/json');
  const job = waitsForJob(id);
  const checks: Check[] = [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = body?.schema.shape ?? {};
  for (const [field, schema] of Object.entries(shape)) {
    const at = { field, section, job, certainty: certaintyOf(id) };
    if (!accepts(schema, undefined)) {
      checks.push(
        ...refusal(id, `request.${field}.missing`, {
          ...at,
          title: `A request without ${field} is refused`,
          call: (world) => changed(world, id, field, undefined),
        }),
      );
    }
    const wrong = WRONG.find((value) => !accepts(schema, value));
    if (wrong === undefined) continue;
    checks.push(
      ...refusal(id, `request.${field}.type`, {
        ...at,
        title: `A ${field} of another type is refused`,
        call: (world) => changed(world, id, field, wrong),
      }),
    );
  }
  if (body) {
    checks.push(
      ...refusal(id, 'request.unknown', {
        field: 'conformance_unknown',
        title: 'A parameter that is not in the interface is refused, and not dropped silently',
        section: 'companion',
        certainty: 'likely',
        job,
        call: (world) => changed(world, id, 'conformance_unknown', 1),
      }),
    );
  }
  if (Object.keys(query.shape).length > 0) checks.push(...queryChecks(id, section, Object.keys(query.shape), job));
  return checks;
}

function queryChecks(id: EndpointId, section: string, names: readonly string[], job: boolean): readonly Check[] {
  const certainty = lessSure(id);
  const wrong = (field: string, value: string, title: string): readonly Check[] =>
    names.includes(field)
      ? refusal(id, `query.${field}.${value}`, { field, title, section, certainty, job, call: (world) => asked(world, id, field, value) }) // prettier-ignore
      : [];
  return [
    ...wrong('limit', '-1', 'A limit below 0 is refused'),
    ...wrong('limit', 'many', 'A limit that is no number is refused'),
    ...wrong('order', 'sideways', 'An order other than asc and desc is refused'),
    ...wrong('variant', 'smell', 'A variant that there is not is refused'),
    ...refusal(id, 'query.unknown', {
      field: 'conformance_unknown',
      title: 'A query parameter that is not in the interface is refused, and not dropped silently',
      section: 'companion',
      certainty: 'opinion',
      job,
      call: (world) => asked(world, id, 'conformance_unknown', '1'),
    }),
  ];
}

/** Of these, one is wrong for every field that has a type. */
const WRONG: readonly unknown[] = [{ wrong: 1 }, 'a text where none belongs', 7.25, true, []];

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  // zod itself may throw on what it does not expect; and what is no schema of its main build takes anything.
  try {
    return !(schema instanceof z.ZodType) || schema.safeParse(value).success;
  } catch {
    return true;
  }
}

async function changed(world: World, id: EndpointId, field: string, value: unknown) {
  const call = await properCall(world, id);
  return { ...call, body: { ...fieldsOf(call.body), [field]: value } };
}

/** The proper call with one thing more in its query; only to endpoints that do answer the proper one. */
async function asked(world: World, id: EndpointId, field: string, value: string) {
  const serving = await world.serving(id);
  if (!serving.served || serving.answer === undefined || !succeeded(serving.answer)) {
    throw new Skip('a proper request does not go well');
  }
  const call = await properCall(world, id);
  const rest = (call.query ?? []).filter(([name]) => name !== field);
  return { ...call, query: [...rest, [field, value] as const] };
}
