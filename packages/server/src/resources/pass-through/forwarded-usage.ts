import { isTokenCount } from '@modelwire/adapter-kit';
import { isJsonType } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage } from '@modelwire/schema/types';
import { tokensOfBytes } from '../../admission/prompt-tokens.ts';
import { tokenEstimate } from '../../admission/work.ts';
import type { TokenEstimate, WorkUsage } from '../../admission/work.ts';
import {
  boundUsage,
  maxCompletionTokensOfAnyModel,
  addedPromptTokens,
  maxPromptTokensOfAnyModel,
} from '../../limits/bound-usage.ts';
import { textBytesOf, createUsageReader } from './usage-reader.ts';
import type { UsageReader } from './usage-reader.ts';

/** Members of requests that limit the output of each choice, and the number of choices. */
const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];
const choicesName = 'n';
/** Larger bodies probably have images, whose tokens are few. */
const maxTextBytes = 256 * 1024;

/** @returns undefined for a request whose reply has no usage. */
export function createForwardedUsage(request: {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly hasBody: boolean;
}): ForwardedUsage | undefined {
  const endpoint = meteredEndpointOf(request.method, request.path);
  return endpoint && new ForwardedUsage(endpoint, request.contentType, request.hasBody);
}

/**
 * Measures a request that is forwarded and its reply as they pass, so that its usage is known whoever leaves: the usage that the reply
 * reports, limited to what the request can mean, or an estimate of what was relayed of a reply without usage.
 */
export class ForwardedUsage implements WorkUsage {
  readonly #endpoint: MeteredEndpoint;
  readonly #isJson: boolean;
  #requestBytes = 0;
  #promptBytes = 0;
  #maxTokens: number | undefined;
  #choices = 1;
  #isSent: boolean;
  /** Whether the upstream answered, or had received the request when its client left. */
  #isUsed = false;
  #reader: UsageReader | undefined;
  #replyBytes = 0;
  /** Whether the reply has a content coding, although none was requested: it is passed on without being read. */
  #isCoded = false;
  #hasEnded = false;

  constructor(endpoint: MeteredEndpoint, contentType: string | null, hasBody: boolean) {
    this.#endpoint = endpoint;
    this.#isJson = isJsonType(contentType);
    this.#isSent = !hasBody;
  }

  /**
   * What the request can use, by the size of its body and its output limit, or as much output as a chat without a limit. It is admitted while
   * anything is left: the size says little about images, and not every limit is known.
   *
   * @param bodyBytes Undefined for a body that is passed on in chunks: it may have any size.
   */
  estimate(bodyBytes: number | undefined): TokenEstimate {
    const textBytes = this.#isJson ? Math.min(bodyBytes ?? maxTextBytes, maxTextBytes) : 0;
    const { hasOutput } = this.#endpoint;
    const { prompt, maxOutput } = tokenEstimate(
      tokensOfBytes(textBytes),
      this.#choices,
      hasOutput ? this.#maxTokens : 0,
    );
    const max = Math.min(prompt + maxOutput, maxCompletionTokensOfAnyModel);
    return { prompt: 1, requiredOutput: 0, maxOutput: max, outputToAdmit: 0 };
  }

  /** Reads the limits of the output from the members of a JSON body. */
  readLimits(members: Readonly<Record<string, unknown>>): void {
    const limits = limitNames.map((name) => members[name]).filter(isPositive);
    if (limits.length > 0) this.#maxTokens = Math.max(...limits);
    const choices = members[choicesName];
    if (isPositive(choices)) this.#choices = choices;
  }

  /** Passes the body of the request on. */
  async *request(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of body) {
      this.#requestBytes += chunk.byteLength;
      if (this.#isJson) this.#promptBytes += textBytesOf(chunk);
      yield chunk;
    }
    this.#isSent = true;
  }

  /** Passes the body of a successful reply on. */
  async *reply(
    body: AsyncIterable<Uint8Array>,
    headers: Readonly<Record<string, string>>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    this.#isCoded = headers['content-encoding'] !== undefined;
    if (!this.#isCoded) this.#reader = createUsageReader(headers['content-type']);
    for await (const chunk of body) {
      // An upstream may reply before it has received the end of the request.
      this.#isSent = this.#isUsed = true;
      this.#replyBytes += chunk.byteLength;
      this.#reader?.write(chunk);
      yield chunk;
    }
    this.#reader?.end();
    this.#hasEnded = true;
  }

  /** Undefined if the request did not reach the upstream completely. */
  get current(): CompletionUsage | undefined {
    if (!this.#isSent || !this.#isUsed) return undefined;
    const reported = this.#reader?.usage;
    if (this.#hasEnded && reported) return this.#bound(reported);
    const ofCoded = this.#isCoded ? tokensOfBytes(this.#replyBytes) : 0;
    const generated = this.#endpoint.hasOutput ? (this.#reader?.generatedTokens ?? ofCoded) : 0;
    const prompt_tokens = reported?.prompt_tokens ?? tokensOfBytes(this.#promptBytes);
    const completion_tokens = Math.max(reported?.completion_tokens ?? 0, generated);
    return this.#bound({
      ...reported,
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
    });
  }

  /** Whether the reply did not report its usage, or not to its end. */
  get isEstimated(): boolean {
    return !(this.#hasEnded && this.#reader?.usage);
  }

  countPrompt(): void {
    this.#isUsed = true;
  }

  #bound(usage: CompletionUsage): CompletionUsage {
    const limit = this.#maxTokens === undefined ? maxCompletionTokensOfAnyModel : this.#choices * this.#maxTokens;
    return boundUsage(usage, {
      maxPromptTokens: maxPromptTokensOf(this.#endpoint, this.#requestBytes),
      // What was received counts, also of an upstream that read another limit.
      maxCompletionTokens: this.#endpoint.hasOutput ? Math.max(limit, this.#replyBytes) : 0,
    });
  }
}

function isPositive(value: unknown): value is number {
  return isTokenCount(value) && value > 0;
}

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
function meteredEndpointOf(method: string, path: string): MeteredEndpoint | undefined {
  if (method !== 'POST') return undefined;
  // The longest match first: `chat/completions` before `completions`.
  const names = Object.keys(endpoints).toSorted((a, b) => b.length - a.length);
  const name = names.find((each) => path.endsWith(`/${each}`));
  return name === undefined ? undefined : endpoints[name];
}

/** The most tokens that a prompt can have with a body of so many bytes. */
function maxPromptTokensOf({ prompt }: MeteredEndpoint, bodyBytes: number): number {
  const tokens = { text: bodyBytes, pairs: bodyBytes ** 2, references: maxPromptTokensOfAnyModel }[prompt];
  return Math.min(addedPromptTokens + tokens, maxPromptTokensOfAnyModel);
}
