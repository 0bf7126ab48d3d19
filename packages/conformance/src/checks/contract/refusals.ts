import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Call } from '../../exchange/call.ts';
import { madeUpId, pathOf, properCall, takesId } from '../../world/calls.ts';
import type { World } from '../../world/world.ts';
import { hasErrorShape, isExtension, lessSure } from '../shape.ts';
import { refusal } from '../refusal.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const WRONG_KEY = 'Bearer modelwire-conformance-wrong-key';

/** Keys, methods, bodies and ids that are wrong, at every endpoint. */
export function refusalChecks(id: EndpointId): readonly Check[] {
  if (isExtension(id)) return [];
  const { route, request, section } = contract[id];
  const certainty = lessSure(id);
  const key = (name: string, authorization: string | null, title: string): Check =>
    check(id, `auth.${name}`, {
      title,
      section: 'Authentication',
      expectation:
        'Every request carries Authorization: Bearer <key>; without a right one official services answer 401.',
      certainty,
      weight: 1,
      async run(world) {
        if (world.settings.apiKey === undefined) throw new Skip('this run has no key to be wrong about');
        const answer = await world.asked(`${id} auth.${name}`, () => ({ ...bare(world, id), authorization }));
        assertConforms(answer, answer.status === 401, `The response has status ${answer.status} instead of 401.`);
      },
    });
  return [
    key('none', null, 'A request without a key is refused with 401'),
    key('wrong', WRONG_KEY, 'A request with a wrong key is refused with 401'),
    check(id, 'method', {
      title: `PUT ${route.path} is refused with 405`,
      section: 'companion',
      certainty,
      weight: 1,
      async run(world) {
        const answer = await world.asked(`PUT ${route.path}`, () => ({ ...bare(world, id), method: 'PUT', body: {} }));
        const right = answer.status === 405 || answer.status === 404;
        assertConforms(answer, right, `The response has status ${answer.status} instead of 405.`);
        assertConforms(
          answer,
          answer.status === 405,
          'The response has status 404, as if the path were unknown, instead of 405.',
        );
      },
    }),
    check(id, 'error-shape', {
      title: `Errors of ${route.method} ${route.path} have the one shape`,
      section: 'companion',
      expectation: 'Errors are {"error": {message, type, param, code}}, as JSON.',
      certainty,
      weight: 1,
      async run(world) {
        if (world.settings.apiKey === undefined) throw new Skip('this run has no key to be wrong about');
        const answer = await world.asked(`${id} auth.wrong`, () => ({ ...bare(world, id), authorization: WRONG_KEY }));
        if (answer.status < 400) throw new Skip('a wrong key is let in');
        hasErrorShape(answer);
      },
    }),
    ...(takesId(id) ? [absent(id)] : []),
    ...(request.some(({ type }) => type === 'application/json') ? bodies(id, section) : []),
  ];
}

/** A request that makes nothing, even where it is let in. */
function bare(world: World, id: EndpointId): Call {
  const { method } = contract[id].route;
  return { method, path: pathOf(id, madeUpId(world, id)), ...(method === 'POST' && { body: {} }) };
}

function absent(id: EndpointId): Check {
  const { section, route } = contract[id];
  const body: Readonly<Partial<Record<EndpointId, Omit<Call, 'method' | 'path'>>>> = {
    'chat.completions.update': { body: { metadata: {} } },
    'uploads.parts.create': { form: { file: { field: 'data', name: 'part', bytes: new Blob(['abc']) } } },
    'uploads.complete': { body: { part_ids: ['part_none'] } },
    'videos.remix': { body: { prompt: 'The same at night' } },
  };
  return check(id, 'absent', {
    title: 'An id that nothing has is answered with 404',
    section: section === 'companion' ? section : 'Errors',
    certainty: lessSure(id),
    run: (world) =>
      is404(
        world.asked(`${id} absent`, () => ({
          method: route.method,
          path: pathOf(id, madeUpId(world, id)),
          ...body[id],
        })),
      ),
  });
}

async function is404(asked: Promise<Answer>): Promise<void> {
  const answer = await asked;
  assertConforms(answer, answer.status === 404, `The response has status ${answer.status} instead of 404.`);
}

function bodies(id: EndpointId, section: string): readonly Check[] {
  const raw = (
    name: string,
    title: string,
    content: string,
    more: Partial<CheckInit> = {},
    type = 'application/json',
  ) =>
    refusal(id, `body.${name}`, {
      field: null,
      title,
      section: section === 'companion' ? section : 'Errors',
      certainty: 'likely',
      ...more,
      call: async (world) => {
        // What it takes is made first: a path without its thing would be refused for that.
        const { method, path } = await properCall(world, id);
        return { method, path, raw: { content, type } };
      },
    });
  const job = contract[id].route.path.includes('/videos/{');
  return [
    ...raw('broken', 'A body that is no JSON is refused', '{"model": ', { job }),
    ...raw('list', 'A body that is a JSON list is refused', '[]', { job }),
    ...raw('empty', 'An empty body is refused', '', { job }),
    ...raw(
      'media-type',
      'A body of another media type is refused',
      'model=x',
      { job, certainty: 'opinion' },
      'text/plain',
    ),
  ];
}
