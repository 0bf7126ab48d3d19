import * as contract from '@modelwire/schema';
import { createChatCompletion } from './chat/create.ts';
import { listModels } from './models/list.ts';
import { retrieveModel } from './models/retrieve.ts';
import { endpoint } from './request/endpoint.ts';

/** Every endpoint the kit serves, each from its entry in the contract. */
export const endpoints = [
  endpoint(contract.createChatCompletion, {
    parse: (body, unknownFields) => contract.parseChatCompletionCreate(body, { unknownFields }),
    handle: createChatCompletion,
  }),
  endpoint(contract.listModels, { handle: listModels }),
  endpoint(contract.retrieveModel, { handle: retrieveModel }),
];
