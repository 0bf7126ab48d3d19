import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { mediaType, isSuccess } from '../../exchange/answer.ts';
import { endpointCertainty, isExtension, likelyOrOpinion, successfulSample, isJob } from '../shape.ts';
import { assertConforms, Skip } from '../../verdict.ts';

/** Whether an endpoint is served and responds to a valid request. */
export function answerChecks(id: EndpointId): readonly Check[] {
  const { route, section, response, summary } = contract[id];
  const job = isJob(id);
  const name = `${route.method} ${route.path}`;
  const checks = [
    check(id, 'served', {
      title: `${name} is served`,
      expectation: summary,
      section,
      certainty: endpointCertainty(id),
      job,
      weight: 1,
      async run(world) {
        const serving = await world.probe(id);
        if (!serving.served && isExtension(id)) throw new Skip('the endpoint is not served');
        if (!serving.served)
          assertConforms(
            serving.answer,
            false,
            `It responds with ${serving.answer.status}, ${isSuccess(serving.answer) ? 'but with another body than requested' : 'as for an unknown path'}.`,
          );
        return undefined;
      },
    }),
  ];
  const types = response.type === 'binary' ? response.mediaTypes : [response.type];
  return [
    ...checks,
    check(id, 'status', {
      title: `${name} responds to a valid request with 200`,
      section,
      certainty: endpointCertainty(id),
      job,
      async run(world) {
        const serving = await world.probe(id);
        if (!serving.served) throw new Skip('the endpoint is not served');
        if (serving.answer === undefined) throw new Skip(serving.reason);
        const { answer } = serving;
        if (answer.status === 403 && isExtension(id)) throw new Skip('the key of this run is not allowed to use it');
        assertConforms(answer, isSuccess(answer), `It responds with ${answer.status}.`);
      },
    }),
    check(id, 'content-type', {
      title: `${name} has the content type ${types.join(' or ')}`,
      section,
      certainty: response.type === 'binary' ? 'opinion' : likelyOrOpinion(id),
      weight: 1,
      job,
      async run(world) {
        const answer = await successfulSample(world, id);
        const type = mediaType(answer);
        const right = types.includes(type) || (response.type === 'binary' && type !== '' && type !== 'text/html');
        assertConforms(answer, right, `Its content-type is ${type || 'missing'}.`);
      },
    }),
    check(id, 'request-id', {
      title: `${name} has an x-request-id header`,
      expectation: 'Official SDKs read the ID of each request from x-request-id.',
      section: 'companion',
      certainty: likelyOrOpinion(id),
      weight: 1,
      job,
      async run(world) {
        const answer = await successfulSample(world, id);
        const has = (answer.headers.get('x-request-id') ?? '') !== '';
        assertConforms(answer, has, 'The response has no x-request-id header.', 'Create an ID for each request and return it in x-request-id.'); // prettier-ignore
      },
    }),
  ];
}
