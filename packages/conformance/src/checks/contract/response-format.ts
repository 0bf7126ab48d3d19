import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { mediaType, isSuccess } from '../../exchange/response.ts';
import { endpointCertainty, isExtension, likelyOrOpinion, successfulSample, phaseOf } from '../shape.ts';
import { assertConforms, Skip } from '../../verdict.ts';

/** Whether an endpoint is served and responds to a valid request. */
export function responseFormatChecks(id: EndpointId): readonly Check[] {
  const { route, section, response: responseSpec, summary, dialect } = contract[id];
  const idHeader = dialect === 'messages' ? 'request-id' : 'x-request-id';
  const phase = phaseOf(id);
  const name = `${route.method} ${route.path}`;
  const checks = [
    check(id, 'served', {
      title: `${name} is served`,
      expectation: summary,
      section,
      certainty: endpointCertainty(id),
      phase,
      weight: 1,
      async run(context) {
        const serving = await context.probe(id);
        if (!serving.served && isExtension(id)) throw new Skip('the endpoint is not served');
        if (!serving.served)
          assertConforms(
            serving.response,
            false,
            `It responds with ${serving.response.status}, ${isSuccess(serving.response) ? 'but with another body than requested' : 'as for an unknown path'}.`,
          );
        return undefined;
      },
    }),
  ];
  const types = responseSpec.type === 'binary' ? responseSpec.mediaTypes : [responseSpec.type];
  return [
    ...checks,
    check(id, 'status', {
      title: `${name} responds to a valid request with 200`,
      section,
      certainty: endpointCertainty(id),
      phase,
      async run(context) {
        const serving = await context.probe(id);
        if (!serving.served) throw new Skip('the endpoint is not served');
        if (serving.response === undefined) throw new Skip(serving.reason);
        const { response } = serving;
        if (response.status === 403 && isExtension(id)) throw new Skip('the key of this run is not allowed to use it');
        assertConforms(response, isSuccess(response), `It responds with ${response.status}.`);
      },
    }),
    check(id, 'content-type', {
      title: `${name} has the content type ${types.join(' or ')}`,
      section,
      certainty: responseSpec.type === 'binary' ? 'opinion' : likelyOrOpinion(id),
      weight: 1,
      phase,
      async run(context) {
        const response = await successfulSample(context, id);
        const type = mediaType(response);
        const right = types.includes(type) || (responseSpec.type === 'binary' && type !== '' && type !== 'text/html');
        assertConforms(response, right, `Its content-type is ${type || 'missing'}.`);
      },
    }),
    check(id, 'request-id', {
      title: `${name} has the header ${idHeader}`,
      expectation: `Official SDKs read the ID of each request from ${idHeader}.`,
      section: 'companion',
      certainty: likelyOrOpinion(id),
      weight: 1,
      phase,
      async run(context) {
        const response = await successfulSample(context, id);
        const has = (response.headers.get(idHeader) ?? '') !== '';
        assertConforms(
          response,
          has,
          `The response has no header ${idHeader}.`,
          `Create an ID for each request and return it in ${idHeader}.`,
        );
      },
    }),
  ];
}
