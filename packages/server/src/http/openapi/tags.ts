/** Descriptions of the groups of endpoints, by the first word of an endpoint's ID. */
export const tags: Readonly<Record<string, string>> = {
  chat: 'Replies to conversations, whole or streamed, and those that were stored.',
  responses: 'Responses to an input: text, tool calls and reasoning as items, whole or streamed.',
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
