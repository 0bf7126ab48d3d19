// `npm run docs`: writes the types of requests and responses, which clients import without zod.
import { writeFileSync } from 'node:fs';
import { apiTypes } from './api-types.ts';

for (const { path, source } of await apiTypes()) writeFileSync(path, source);
