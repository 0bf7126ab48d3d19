import { responseStreamEventSchema } from '../responses/events.ts';
import { responseSchema } from '../responses/response.ts';
import {
  responseDeletedSchema,
  responseItemListQuerySchema,
  responseItemListSchema,
  responseRetrieveQuerySchema,
} from '../responses/stored.ts';
import * as routes from '../routes.ts';
import { absent, endpoint, wrongState } from './endpoint.ts';

export const absentResponse = absent('stored response');

export const storedResponseEndpoints = {
  'responses.retrieve': endpoint('responses.retrieve', {
    route: routes.retrieveResponse,
    summary: 'Retrieve a stored response, or stream the events of one that was created in the background.',
    section: 'companion',
    query: responseRetrieveQuerySchema,
    response: responseSchema,
    event: responseStreamEventSchema,
    errors: [absentResponse, wrongState('With `stream`: the response was not created with `background` and `stream`.')],
  }),
  'responses.delete': endpoint('responses.delete', {
    route: routes.deleteResponse,
    summary: 'Delete a stored response with its items. One that is running is stopped.',
    section: 'companion',
    response: responseDeletedSchema,
    errors: [absentResponse],
  }),
  'responses.cancel': endpoint('responses.cancel', {
    route: routes.cancelResponse,
    summary: 'Cancel a background response. A response that has ended is returned unchanged.',
    section: 'companion',
    response: responseSchema,
    errors: [absentResponse, wrongState('The response was not created with `background`.')],
  }),
  'responses.input_items.list': endpoint('responses.input_items.list', {
    route: routes.listResponseInputItems,
    summary: 'List the items of the input of a stored response, without those of the responses before it.',
    section: 'companion',
    query: responseItemListQuerySchema,
    response: responseItemListSchema,
    errors: [absentResponse],
  }),
};
