import { modelCapabilitiesSchema, modelListSchema, modelSchema } from '../models.ts';
import * as routes from '../routes.ts';
import { endpoint, unknownModel } from './endpoint.ts';

export const modelEndpoints = {
  'models.list': endpoint('models.list', {
    route: routes.listModels,
    summary: 'List the models that are served.',
    section: 'companion',
    response: modelListSchema,
  }),
  'models.retrieve': endpoint('models.retrieve', {
    route: routes.retrieveModel,
    summary: 'Retrieve a model.',
    section: 'companion',
    response: modelSchema,
    errors: [unknownModel],
  }),
  'capabilities.retrieve': endpoint('capabilities.retrieve', {
    route: routes.retrieveModelCapabilities,
    summary: 'Retrieve what a chat model supports: each parameter is native, emulated or refused.',
    section: 'companion',
    response: modelCapabilitiesSchema,
    errors: [unknownModel],
  }),
};
