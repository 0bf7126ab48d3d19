import { isTokenCount } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import { tokenEstimate } from '../../admission/work.ts';
import type { TokenEstimate, WorkUsage } from '../../admission/work.ts';
import { boundUsage, maxCompletionTokensOfAnyModel } from '../../limits/bound-usage.ts';
import { maxPromptTokensOf, meteredEndpointOf } from './metered-paths.ts';
import type { MeteredEndpoint } from './metered-paths.ts';
import { isJsonType } from './body-format.ts';
import { createUsageReader } from './usage-reader.ts';
import type { UsageReader } from './usage-reader.ts';

/** Members of requests that limit the output of each choice, and the number of choices. */
const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];
const choicesName = 'n';
/** Larger bodies probably have images, whose tokens are few. */
const maxTextBytes = 256 * 1024;
/** Text has about three bytes for each token. */
const bytesPerToken = 3;
/** Longer runs of the characters of base64 are images and other contents, which have far fewer tokens than bytes. */
const maxTextRun = 1023;

/** @returns undefined for a request whose reply has no usage. */
export function createUsageMeter(request: {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly hasBody: boolean;
}): UsageMeter | undefined {
  const endpoint = meteredEndpointOf(request.method, request.path);
  return endpoint && new UsageMeter(endpoint, request.contentType, request.hasBody);
}

/**
 * Measures a request that is forwarded and its reply as they pass, so that its usage is known whoever leaves: the usage that the reply
 * reports, limited to what the request can mean, or an estimate of what was relayed of a reply that was abandoned.
 */
export class UsageMeter implements WorkUsage {
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
    this.#isJson = isJsonType(contentType ?? '');
    this.#isSent = !hasBody;
  }

  /**
   * What the request can use, by the size of its body and as much output as a chat without a limit. It is admitted while anything is left: its
   * size says little about images, and its output limit is not known yet.
   */
  estimate(bodyBytes: number): TokenEstimate {
    const textBytes = this.#isJson ? Math.min(bodyBytes, maxTextBytes) : 0;
    const { prompt, maxOutput } = tokenEstimate(
      Math.ceil(textBytes / bytesPerToken),
      1,
      this.#endpoint.hasOutput ? undefined : 0,
    );
    return { prompt: 1, requiredOutput: 0, maxOutput: prompt + maxOutput, outputToAdmit: 0 };
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
      this.#isUsed = true;
      this.#replyBytes += chunk.byteLength;
      this.#reader?.write(chunk);
      yield chunk;
    }
    this.#reader?.end();
    this.#hasEnded = true;
  }

  /** Undefined if the request did not reach the upstream completely, or its whole reply has no usage. */
  get current(): CompletionUsage | undefined {
    if (!this.#isSent || !this.#isUsed) return undefined;
    const reported = this.#reader?.usage;
    if (this.#hasEnded && reported) return this.#bound(reported);
    const ofCoded = this.#isCoded ? Math.ceil(this.#replyBytes / bytesPerToken) : 0;
    const generated = this.#endpoint.hasOutput ? (this.#reader?.generatedTokens ?? ofCoded) : 0;
    if (this.#hasEnded && generated === 0 && !this.#isCoded) return undefined;
    const prompt_tokens = reported?.prompt_tokens ?? Math.ceil(this.#promptBytes / bytesPerToken);
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

/** The bytes that are not in long runs of base64. */
function textBytesOf(chunk: Uint8Array): number {
  let bytes = 0;
  let run = 0;
  for (const byte of chunk) {
    if (isBase64[byte] === 1) {
      run += 1;
      continue;
    }
    if (run <= maxTextRun) bytes += run;
    bytes += 1;
    run = 0;
  }
  return run <= maxTextRun ? bytes + run : bytes;
}

const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w+/=-]/.test(String.fromCharCode(byte)) ? 1 : 0));
