import { modelCapabilitiesSchema, modelDeletedSchema, modelListSchema, modelSchema } from '../models.ts';
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
    summary: 'Read one model.',
    section: 'companion',
    response: modelSchema,
    errors: [unknownModel],
  }),
  'capabilities.retrieve': endpoint('capabilities.retrieve', {
    route: routes.retrieveModelCapabilities,
    summary: 'Read what a chat model can do: which parameters are native, emulated or refused.',
    section: 'companion',
    response: modelCapabilitiesSchema,
    errors: [unknownModel],
  }),
  'models.delete': endpoint('models.delete', {
    route: routes.deleteModel,
    summary: 'Delete a model of your own.',
    section: 'companion',
    response: modelDeletedSchema,
    errors: [unknownModel],
  }),
};
