import { contract, parseChatCompletionCreate } from '@modelwire/schema';
import { createChatCompletion } from './chat/create.ts';
import { listModels } from './models/list.ts';
import { retrieveModel } from './models/retrieve.ts';
import { endpoint } from './request/endpoint.ts';

/** Every endpoint the kit serves, each from its entry in the contract. */
export const endpoints = [
  endpoint(contract['chat.completions.create'], {
    parse: (body, unknownFields) => parseChatCompletionCreate(body, { unknownFields }),
    handle: createChatCompletion,
  }),
  endpoint(contract['models.list'], { handle: listModels }),
  endpoint(contract['models.retrieve'], { handle: retrieveModel }),
];
