import { chatCompletionUpdateParamsSchema, contract, parseChatCompletionCreate, parseRequest } from '@modelwire/schema';
import { createChatCompletion } from './chat/create.ts';
import * as stored from './chat/stored.ts';
import { listModels } from './models/list.ts';
import { retrieveModel } from './models/retrieve.ts';
import type { KitOptions } from './options.ts';
import { endpoint } from './request/endpoint.ts';
import type { MountedEndpoint } from './request/endpoint.ts';
import { readUsage } from './usage/read.ts';

/** Every endpoint that a server with these options serves, each from its entry in the contract. */
export function endpointsOf({ stores }: Pick<KitOptions, 'stores'>): readonly MountedEndpoint[] {
  return [...always, ...(stores ? withStores : [])];
}

const always = [
  endpoint(contract['chat.completions.create'], {
    access: 'infer',
    idempotent: true,
    parse: (body, unknownFields) => parseChatCompletionCreate(body, { unknownFields }),
    handle: createChatCompletion,
  }),
  endpoint(contract['models.list'], { access: 'any', handle: listModels }),
  endpoint(contract['models.retrieve'], { access: 'any', handle: retrieveModel }),
];

const withStores = [
  endpoint(contract['chat.completions.list'], { access: 'read', handle: stored.listChatCompletions }),
  endpoint(contract['chat.completions.retrieve'], { access: 'read', handle: stored.retrieveChatCompletion }),
  endpoint(contract['chat.completions.update'], {
    access: 'write',
    parse: (body, unknownFields) => parseRequest(chatCompletionUpdateParamsSchema, body, { unknownFields }),
    handle: stored.updateChatCompletion,
  }),
  endpoint(contract['chat.completions.delete'], { access: 'write', handle: stored.deleteChatCompletion }),
  endpoint(contract['chat.completions.messages.list'], { access: 'read', handle: stored.listChatMessages }),
  endpoint(contract['usage.completions'], { access: 'operate', handle: readUsage }),
];
