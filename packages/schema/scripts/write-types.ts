// `npm run docs`: writes the types of requests, which clients import without zod.
import { writeFileSync } from 'node:fs';
import { requestTypesSource, requestTypesUrl } from './request-types.ts';

writeFileSync(requestTypesUrl, await requestTypesSource());
