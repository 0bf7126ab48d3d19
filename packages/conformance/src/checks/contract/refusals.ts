import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import type { Call } from '../../exchange/call.ts';
import { unknownId, resolvePath, validCall, hasPathId } from '../../context/calls.ts';
import { conversationTurns } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { assertErrorShape, isExtension, likelyOrOpinion } from '../shape.ts';
import { rejectionChecks } from '../refusal.ts';
import { assertConforms, assertStatus, Skip } from '../../verdict.ts';

const WRONG_KEY = 'Bearer modelwire-conformance-wrong-key';

/** Invalid keys, bodies and IDs, at every endpoint. */
export function refusalChecks(id: EndpointId): readonly Check[] {
  if (isExtension(id)) return [];
  const { route, request, section } = contract[id];
  const certainty = likelyOrOpinion(id);
  const key = (name: string, authorization: string | null, title: string): Check =>
    check(id, `auth.${name}`, {
      title,
      section: 'Authentication',
      expectation: 'Every request has Authorization: Bearer <key>; without a valid key OpenAI returns 401.',
      certainty,
      weight: 1,
      async run(context) {
        if (context.settings.apiKey === undefined) throw new Skip('this run has no key');
        const response = await context.sendOnce(`${id} auth.${name}`, () => ({
          ...harmlessCall(context, id),
          authorization,
        }));
        assertStatus(response, 401);
      },
    });
  return [
    key('none', null, 'Rejects a request without a key with 401'),
    key('wrong', WRONG_KEY, 'Rejects a request with an invalid key with 401'),
    check(id, 'error-shape', {
      title: `Errors of ${route.method} ${route.path} have the documented shape`,
      section: 'companion',
      expectation: 'Errors are {"error": {message, type, param, code}}, as JSON.',
      certainty,
      weight: 1,
      async run(context) {
        if (context.settings.apiKey === undefined) throw new Skip('this run has no key');
        const response = await context.sendOnce(`${id} auth.wrong`, () => ({
          ...harmlessCall(context, id),
          authorization: WRONG_KEY,
        }));
        if (response.status < 400) throw new Skip('the server accepts an invalid key');
        assertErrorShape(response);
      },
    }),
    ...(hasPathId(id) ? [unknownIdCheck(id)] : []),
    ...(request.some(({ type }) => type === 'application/json') ? bodyChecks(id, section) : []),
  ];
}

/** Another method than the endpoint has is rejected. */
export function methodChecks(id: EndpointId): readonly Check[] {
  if (isExtension(id)) return [];
  const { route } = contract[id];
  const common = { section: 'companion', certainty: likelyOrOpinion(id), weight: 1 } as const;
  return [
    check(id, 'method', {
      title: `Rejects PUT ${route.path} with 405`,
      ...common,
      async run(context) {
        const response = await sendPut(context, id);
        assertStatus(response, 405);
      },
    }),
    check(id, 'method.allow', {
      title: `The rejection of PUT ${route.path} has the allowed methods in Allow, and the documented shape`,
      expectation: 'A 405 has the header Allow (RFC 9110, section 15.5.6).',
      ...common,
      async run(context) {
        const response = await sendPut(context, id);
        if (response.status !== 405) throw new Skip(`it was not rejected with 405: see ${id}/method`);
        assertErrorShape(response);
        const allowed = (response.headers.get('allow') ?? '').split(/\s*,\s*/);
        assertConforms(response, allowed.includes(route.method), `Its header Allow does not have ${route.method}.`);
      },
    }),
  ];
}

/** The response to a method that no path has. */
const sendPut = (context: RunContext, id: EndpointId): Promise<CompleteResponse> =>
  context.sendOnce(`PUT ${contract[id].route.path}`, () => ({
    ...harmlessCall(context, id),
    method: 'PUT',
    body: {},
  }));

/** A request that creates nothing even if it is accepted. */
function harmlessCall(context: RunContext, id: EndpointId): Call {
  const { method } = contract[id].route;
  return { method, path: resolvePath(id, unknownId(context, id)), ...(method === 'POST' && { body: {} }) };
}

function unknownIdCheck(id: EndpointId): Check {
  const { section, route } = contract[id];
  const body: Readonly<Partial<Record<EndpointId, Omit<Call, 'method' | 'path'>>>> = {
    'chat.completions.update': { body: { metadata: {} } },
    'conversations.update': { body: { metadata: {} } },
    'conversations.items.create': { body: { items: conversationTurns } },
    'uploads.parts.create': { form: { file: { field: 'data', name: 'part', bytes: new Blob(['abc']) } } },
    'uploads.complete': { body: { part_ids: ['part_none'] } },
    'videos.remix': { body: { prompt: 'The same at night' } },
  };
  return check(id, 'absent', {
    title: 'Returns 404 for an unknown ID',
    section: section === 'companion' ? section : 'Errors',
    certainty: likelyOrOpinion(id),
    run: (context) =>
      assertNotFound(
        context.sendOnce(`${id} absent`, () => ({
          method: route.method,
          path: resolvePath(id, unknownId(context, id)),
          ...body[id],
        })),
      ),
  });
}

async function assertNotFound(pendingResponse: Promise<CompleteResponse>): Promise<void> {
  const response = await pendingResponse;
  assertStatus(response, 404);
}

function bodyChecks(id: EndpointId, section: string): readonly Check[] {
  const raw = (
    name: string,
    title: string,
    content: string,
    more: Partial<CheckInit> = {},
    type = 'application/json',
  ) =>
    rejectionChecks(id, `body.${name}`, {
      field: null,
      title,
      section: section === 'companion' ? section : 'Errors',
      certainty: 'likely',
      ...more,
      call: async (context) => {
        // Its prerequisites are created first: otherwise an unknown ID in the path would be rejected instead.
        const { method, path } = await validCall(context, id);
        return { method, path, raw: { content, type } };
      },
    });
  const phase = contract[id].route.path.includes('/videos/{') ? 'jobs' : 'together';
  return [
    ...raw('broken', 'Rejects a body that is not JSON', '{"model": ', { phase }),
    ...raw('list', 'Rejects a body that is a JSON array', '[]', { phase }),
    ...raw('empty', 'Rejects an empty body', '', { phase }),
    ...raw(
      'media-type',
      'Rejects a body of another media type',
      'model=x',
      { phase, certainty: 'opinion' },
      'text/plain',
    ),
  ];
}
