import { isRecord } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import type { EmbeddingContext, EmbeddingEngine, EmbeddingReply, EmbeddingRequest } from '@modelwire/ports';
import type { Call, OpenReply } from './attempts/attempts.ts';
import { readCompleteBody } from './replies/complete-body.ts';

type Embed = EmbeddingEngine['embed'];
type SendEmbeddingsRequest = (
  model: string,
  call: Pick<Call, 'path' | 'body' | 'accept' | 'requestId' | 'signal' | 'onUpstream' | 'observer'> &
    Pick<EmbeddingContext, 'batchLine'>,
  open: OpenReply<EmbeddingReply>,
) => Promise<EmbeddingReply>;

/**
 * Forwards requests for embeddings. Base64 is requested from the upstream if the client wants it, which is a quarter of the size. An upstream
 * that rejects base64 gets requests for numbers from then on.
 */
export function createEmbed(sendRequest: SendEmbeddingsRequest): Embed {
  const withoutBase64 = new Set<string>();
  return async (request, context) => {
    const { model } = request;
    const { requestId, extra, signal, observer, batchLine } = context;
    const onUpstream = context.reportUpstream?.bind(context);
    const requestEmbeddings = async (format: EmbeddingRequest['encoding_format']): Promise<EmbeddingReply> => {
      const body = createBody(request, format, extra);
      const call = {
        path: '/embeddings',
        body,
        accept: 'application/json',
        requestId,
        signal,
        onUpstream,
        observer,
        batchLine,
      } as const;
      return sendRequest(model, call, (reply) =>
        readCompleteBody(
          reply,
          (value) => parseReply(value, request.inputs.length),
          'not one embedding for each input',
        ),
      );
    };
    if (request.encoding_format === 'float' || withoutBase64.has(model)) return requestEmbeddings('float');
    try {
      return await requestEmbeddings('base64');
    } catch (error) {
      if (!rejectsBase64(error)) throw error;
      const reply = await requestEmbeddings('float');
      withoutBase64.add(model);
      return reply;
    }
  };
}

function createBody(
  { inputs, dimensions, user }: EmbeddingRequest,
  format: EmbeddingRequest['encoding_format'],
  extra: Readonly<Record<string, unknown>>,
): Call['body'] {
  // Some servers accept a single input only as a string.
  const input = inputs.length === 1 ? inputs[0] : inputs;
  // `float` is the default, which servers support even if they do not know the field.
  const encoding_format = format === 'base64' ? format : undefined;
  return (model) => JSON.stringify({ ...extra, model, input, encoding_format, dimensions, user });
}

function rejectsBase64(error: unknown): boolean {
  if (!(error instanceof RequestError) || (error.status !== 400 && error.status !== 422)) return false;
  return error.param === 'encoding_format' || /encoding_format|base64/i.test(error.message);
}

function parseReply(value: Readonly<Record<string, unknown>>, count: number): EmbeddingReply | undefined {
  const { data, usage } = value;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const embeddings = new Array<EmbeddingReply['embeddings'][number] | undefined>(count).fill(undefined);
  const items: readonly unknown[] = data;
  for (const [position, item] of items.entries()) {
    if (!isRecord(item)) return undefined;
    const { index = position, embedding } = item;
    if (typeof index !== 'number' || !(index in embeddings) || embeddings[index] !== undefined) return undefined;
    const vector = typeof embedding === 'string' ? decodeFloats(embedding) : parseNumbers(embedding);
    if (vector === undefined || vector.length === 0) return undefined;
    embeddings[index] = vector;
  }
  const vectors = embeddings.filter((vector) => vector !== undefined);
  if (vectors.length !== count || vectors.some(({ length }) => length !== vectors[0]?.length)) return undefined;
  return { embeddings: vectors, promptTokens: readPromptTokens(usage) };
}

function parseNumbers(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  return items.every((item): item is number => Number.isFinite(item)) ? items : undefined;
}

/** Little-endian 32-bit floats. */
function decodeFloats(base64: string): Float32Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  const vector = new Float32Array(bytes.length / 4);
  for (let at = 0; at < vector.length; at++) {
    const number = bytes.readFloatLE(at * 4);
    if (!Number.isFinite(number)) return undefined;
    vector[at] = number;
  }
  return vector;
}

function readPromptTokens(usage: unknown): number | undefined {
  if (!isRecord(usage)) return undefined;
  const { prompt_tokens: prompt, total_tokens: total } = usage;
  return [prompt, total].find((tokens): tokens is number => Number.isSafeInteger(tokens) && Number(tokens) >= 0);
}
