import { createTransport, paginate } from '@modelwire/core';
import type { ApiPromise, CallOptions, Paged, Transport, TransportOptions } from '@modelwire/core';
import { listModels, retrieveModel, retrieveModelCapabilities } from '@modelwire/schema/routes';
import type { Model, ModelCapabilities, ModelList } from '@modelwire/schema/types';

/** How to reach the server, or a transport that other clients use too. */
export type ModelsOptions = TransportOptions | Transport;

/** Every method rejects with a `ModelwireError`, always. */
export interface ModelsClient {
  /** All models: `await` the list, or `for await` each of them. The list has no pages. */
  list(options?: CallOptions): Paged<ModelList>;
  /** One model, by its id. */
  retrieve(model: string, options?: CallOptions): ApiPromise<Model>;
  /**
   * What a chat model can do at this server: each parameter is native, emulated or refused. Modelwire's own; another server
   * answers 404.
   */
  capabilities(model: string, options?: CallOptions): ApiPromise<ModelCapabilities>;
}

/** A client for models. Throws an `InputError` for a broken base URL. */
export function createModels(options: ModelsOptions = {}): ModelsClient {
  const transport = 'request' in options ? options : createTransport(options);
  return {
    list: (options) => paginate(() => transport.request<ModelList>(listModels, options)),
    retrieve: (model, options) => transport.request(retrieveModel, { ...options, params: { model } }),
    capabilities: (model, options) => transport.request(retrieveModelCapabilities, { ...options, params: { model } }),
  };
}
