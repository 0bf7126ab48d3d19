import { addedPromptTokens, maxPromptTokensOfAnyModel } from '../../limits/bound-usage.ts';

/** An endpoint whose replies report usage. */
export interface MeteredEndpoint {
  /**
   * How a prompt relates to the body of its request: `text` is in it, `pairs` combines a part of it with each of the others (a query with each
   * document), and `references` may also read contents at other places, such as images, files and web pages.
   */
  readonly prompt: 'text' | 'pairs' | 'references';
  /** Whether its models generate tokens. */
  readonly hasOutput: boolean;
}

/** By the last segments of their paths: APIs have them below different prefixes. */
const endpoints: Readonly<Record<string, MeteredEndpoint>> = {
  embeddings: { prompt: 'text', hasOutput: false },
  moderations: { prompt: 'text', hasOutput: false },
  classify: { prompt: 'text', hasOutput: false },
  pooling: { prompt: 'text', hasOutput: false },
  rerank: { prompt: 'pairs', hasOutput: false },
  score: { prompt: 'pairs', hasOutput: false },
  completions: { prompt: 'text', hasOutput: true },
  'audio/speech': { prompt: 'text', hasOutput: true },
  'chat/completions': { prompt: 'references', hasOutput: true },
  messages: { prompt: 'references', hasOutput: true },
  responses: { prompt: 'references', hasOutput: true },
  'audio/transcriptions': { prompt: 'references', hasOutput: true },
  'audio/translations': { prompt: 'references', hasOutput: true },
  'images/generations': { prompt: 'references', hasOutput: true },
  'images/edits': { prompt: 'references', hasOutput: true },
  'images/variations': { prompt: 'references', hasOutput: true },
};

/** The endpoint of a path below `/v1`; undefined for one whose replies have no usage: their contents may look like usage. */
export function meteredEndpointOf(method: string, path: string): MeteredEndpoint | undefined {
  if (method !== 'POST') return undefined;
  // The longest match first: `chat/completions` before `completions`.
  const names = Object.keys(endpoints).toSorted((a, b) => b.length - a.length);
  const name = names.find((each) => path.endsWith(`/${each}`));
  return name === undefined ? undefined : endpoints[name];
}

/** The most tokens that a prompt can have with a body of so many bytes. */
export function maxPromptTokensOf({ prompt }: MeteredEndpoint, bodyBytes: number): number {
  const tokens = { text: bodyBytes, pairs: bodyBytes ** 2, references: maxPromptTokensOfAnyModel }[prompt];
  return Math.min(addedPromptTokens + tokens, maxPromptTokensOfAnyModel);
}
