import { yieldToEventLoop } from '@modelwire/adapter-kit';
import type { Endpoint } from '@modelwire/schema';
import { isBatchEndpoint } from '../implement.ts';
import type { MountedEndpoint } from '../implement.ts';
import { codeSamples } from './code-samples.ts';
import { createComponents } from './components.ts';
import type { Components, Json } from './components.ts';
import { headers, responsesOf } from './responses.ts';
import { idempotencyKey, lastEventId, parametersOf, requestBody } from './request.ts';

/** The parts of the document that differ between servers. */
interface DocumentedServer {
  readonly version: string;
  /** A chat model that it serves, for the examples. Default: the model in the contract. */
  readonly model?: string | undefined;
  /** An embedding model that it serves, for the examples. */
  readonly embeddingModel?: string | undefined;
}

/**
 * The OpenAPI 3.1 document of what this server serves, made from the contract. It takes 160 to 250 ms of CPU time: other requests run
 * between its operations.
 */
export async function openApiDocument(endpoints: readonly MountedEndpoint[], server: DocumentedServer): Promise<Json> {
  const components = createComponents();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = await operation(endpoint, server, components);
  }
  const groups = new Set(endpoints.map(({ contract }) => tagOf(contract)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Modelwire',
      version: server.version,
      description:
        'OpenAI-compatible API: chat completions, responses, conversations, embeddings, moderation, batches, uploads, files and videos. Code samples read the base URL of this server, with `/v1`, from `MODELWIRE_BASE_URL`, and a key from `MODELWIRE_API_KEY`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    security: [{ apiKey: [] }, { apiKeyHeader: [] }],
    tags: [...groups].map((name) => ({ name, ...(tags[name] !== undefined && { description: tags[name] }) })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key of this server: `Authorization: Bearer <key>`.' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key.' },
      },
      headers,
      schemas: withServedBatches(components.all(), endpoints),
    },
  };
}

/** Restricts batches to the endpoints that this server can run. */
function withServedBatches(schemas: Json, endpoints: readonly MountedEndpoint[]): Json {
  const params = schemas['BatchCreateParams'] as { readonly properties: Readonly<Record<string, Json>> } | undefined;
  if (!params) return schemas;
  const served = endpoints.filter(isBatchEndpoint).map(({ path }) => path);
  const endpoint = { ...params.properties['endpoint'], enum: served };
  return { ...schemas, BatchCreateParams: { ...params, properties: { ...params.properties, endpoint } } };
}

const tagOf = ({ id }: Endpoint): string => id.split('.')[0] ?? id;

async function operation(
  { contract }: MountedEndpoint,
  server: DocumentedServer,
  components: Components,
): Promise<Json> {
  const { id, summary, section, pathParams, query, request, isIdempotent, streamIdPrefix } = contract;
  const model = tagOf(contract) === 'embeddings' ? server.embeddingModel : server.model;
  const parameters = [
    ...parametersOf(pathParams, 'path', components).map((each) => withServedModel(each, model)),
    ...parametersOf(query, 'query', components),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...(streamIdPrefix === undefined ? [] : [lastEventId]),
  ];
  await yieldToEventLoop();
  const body = request.length > 0 ? requestBody(request, model, components) : undefined;
  await yieldToEventLoop();
  return {
    operationId: id.replaceAll('.', '_'),
    summary,
    ...(section !== 'companion' && { description: `Section of the API specification: ${section}.` }),
    tags: [tagOf(contract)],
    parameters,
    ...(body && { requestBody: body }),
    responses: responsesOf(contract, components),
    'x-codeSamples': codeSamples(contract, model, parameters),
  };
}

function withServedModel(parameter: Json, model: string | undefined): Json {
  return parameter['name'] === 'model' && model !== undefined ? { ...parameter, example: model } : parameter;
}

/** Descriptions of the groups of endpoints, by the first word of an endpoint's ID. */
const tags: Readonly<Record<string, string>> = {
  chat: 'Replies to conversations, whole or streamed, and those that were stored.',
  responses: 'Responses to an input: text, tool calls and reasoning as items, whole or streamed.',
  messages: 'Messages of chat models in the form of the Anthropic Messages API.',
  completions: 'Continuations of texts, the legacy endpoint before chat.',
  embeddings: 'Vectors of texts, which can be compared.',
  moderations: 'Classification of texts and images by categories of potential harm.',
  batches: 'Files of requests that run in the background.',
  uploads: 'Files that are sent in parts.',
  files: 'Files for requests, batches and videos.',
  videos: 'Jobs that make videos.',
  models: 'The models that this server serves.',
  capabilities: 'What each chat model supports.',
  usage: 'Reports for operators of the server.',
};
