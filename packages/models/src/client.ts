import { createTransport, paginate } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions, Paged } from '@modelwire/core';
import { listModels, retrieveModel, retrieveModelCapabilities } from '@modelwire/schema/routes';
import type { Model, ModelCapabilities, ModelList } from '@modelwire/schema/types';

/** Options of a transport, or a transport that is shared with other clients. */
export type ModelsOptions = ClientOptions;

/** Every method rejects only with a `ModelwireError`. */
export interface ModelsClient {
  /** Lists all models: `await` the list, or iterate it with `for await`. The list has no pages. */
  list(options?: CallOptions): Paged<ModelList>;
  /** Retrieves a model by its ID. */
  retrieve(model: string, options?: CallOptions): ApiPromise<Model>;
  /**
   * Retrieves which parameters of a chat model are native, emulated or refused. An extension of Modelwire; other servers return 404.
   */
  capabilities(model: string, options?: CallOptions): ApiPromise<ModelCapabilities>;
}

/** Creates a client for models. Throws an `InputError` for an invalid base URL. */
export function createModels(options: ModelsOptions = {}): ModelsClient {
  const transport = createTransport(options);
  return {
    list: (options) => paginate(() => transport.request<ModelList>(listModels, options)),
    retrieve: (model, options) => transport.request(retrieveModel, { ...options, params: { model } }),
    capabilities: (model, options) => transport.request(retrieveModelCapabilities, { ...options, params: { model } }),
  };
}
