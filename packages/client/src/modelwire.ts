import { createBatches } from '@modelwire/batches';
import type { BatchesClient } from '@modelwire/batches';
import { createTransport } from '@modelwire/core';
import type { Transport } from '@modelwire/core';
import { createDatasets } from './datasets.ts';
import type { DatasetsClient } from './datasets.ts';
import { createFilesResource } from './files.ts';
import type { Files } from './files.ts';
import { createModels } from '@modelwire/models';
import type { ModelsClient } from '@modelwire/models';
import { createModerations } from '@modelwire/moderations';
import type { ModerationsClient } from '@modelwire/moderations';
import { createCompletions, createConversations, createEmbeddings, createResponses } from '@modelwire/responses';
import type { CompletionsClient, ConversationsClient, EmbeddingsClient, ResponsesClient } from '@modelwire/responses';
import { createVideos } from '@modelwire/videos';
import type { VideosClient } from '@modelwire/videos';
import { createChatResource } from './chat.ts';
import type { Chat } from './chat.ts';
import { createOrganization } from './organization.ts';
import type { OrganizationClient } from './organization.ts';
import { resolveOptions } from './options.ts';
import type { ModelwireOptions } from './options.ts';
import { createUploadsResource } from './uploads.ts';
import type { Uploads } from './uploads.ts';

/**
 * A client for all resources of a server. Resources are created on first use and share one transport. Throws an `InputError` for an
 * invalid base URL; every method rejects only with a `ModelwireError`.
 *
 * ```ts
 * const client = new Modelwire({ apiKey, baseURL: 'http://127.0.0.1:8787/v1' });
 * const { choices } = await client.chat.completions.create({ model: 'simulator', messages });
 * ```
 */
export class Modelwire {
  /** The transport. Pass it to the client of a resource (`createFiles(client.transport)`) to share it. */
  readonly transport: Transport;
  readonly #options: ModelwireOptions;
  #chat: Chat | undefined;
  #responses: ResponsesClient | undefined;
  #conversations: ConversationsClient | undefined;
  #embeddings: EmbeddingsClient | undefined;
  #completions: CompletionsClient | undefined;
  #files: Files | undefined;
  #uploads: Uploads | undefined;
  #batches: BatchesClient | undefined;
  #datasets: DatasetsClient | undefined;
  #moderations: ModerationsClient | undefined;
  #videos: VideosClient | undefined;
  #models: ModelsClient | undefined;
  #organization: OrganizationClient | undefined;

  constructor(options: ModelwireOptions = {}) {
    this.#options = options;
    this.transport = createTransport(resolveOptions(options));
  }

  get chat(): Chat {
    return (this.#chat ??= createChatResource(this.transport));
  }

  get responses(): ResponsesClient {
    return (this.#responses ??= createResponses(this.transport));
  }

  get conversations(): ConversationsClient {
    return (this.#conversations ??= createConversations(this.transport));
  }

  get embeddings(): EmbeddingsClient {
    return (this.#embeddings ??= createEmbeddings(this.transport));
  }

  /** The legacy endpoint that continues a text. */
  get completions(): CompletionsClient {
    return (this.#completions ??= createCompletions(this.transport));
  }

  get files(): Files {
    return (this.#files ??= createFilesResource(this.transport));
  }

  get uploads(): Uploads {
    return (this.#uploads ??= createUploadsResource(this.transport));
  }

  get batches(): BatchesClient {
    return (this.#batches ??= createBatches(this.transport));
  }

  /** Stored completions as files, for fine-tuning, evaluation and reruns. */
  get datasets(): DatasetsClient {
    return (this.#datasets ??= createDatasets(this.transport));
  }

  get moderations(): ModerationsClient {
    return (this.#moderations ??= createModerations(this.transport));
  }

  get videos(): VideosClient {
    return (this.#videos ??= createVideos(this.transport));
  }

  get models(): ModelsClient {
    return (this.#models ??= createModels(this.transport));
  }

  /** The administration API: projects, API keys, budgets, audit log, usage and costs. Needs a key with the role `admin`. */
  get organization(): OrganizationClient {
    return (this.#organization ??= createOrganization(this.transport));
  }

  /** Returns a client with these options; the other options stay the same. */
  withOptions(options: ModelwireOptions): Modelwire {
    return new Modelwire({ ...this.#options, ...options });
  }
}
