import { ignoredQuerySchema } from '../fields/paging.ts';
import { modelCapabilitiesSchema, modelListSchema, modelSchema } from '../models.ts';
import * as routes from '../routes.ts';
import { endpoint, endpoints } from './endpoint.ts';

export const modelEndpoints = endpoints({
  'models.list': endpoint(routes.listModels, 'List the models that are served.', modelListSchema, {
    access: 'any',
    // Codex sends its version here; clients of the Messages API add `beta=true` and page limits.
    query: ignoredQuerySchema,
  }),
  'models.retrieve': endpoint(routes.retrieveModel, 'Retrieve a model.', modelSchema, {
    access: 'any',
    query: ignoredQuerySchema,
  }),
  'capabilities.retrieve': endpoint(
    routes.retrieveModelCapabilities,
    'Retrieve what a chat model supports: each parameter is native, emulated or refused.',
    modelCapabilitiesSchema,
    { access: 'any' },
  ),
});
