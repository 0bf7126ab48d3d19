import type { Access } from '../../admission/work.ts';
import type { Call } from '../../call.ts';
import {
  bodyFormat,
  createFormModelFinder,
  observeModel,
  readUntilModel,
  replayForm,
  inPieces,
  readJsonRequest,
  renameModel,
} from './model-in-body.ts';
import type { FormModelFinder } from './model-in-body.ts';
import { readBody } from '../../http/read-body.ts';
import { withBodyTimeouts } from '../../limits/body-timeouts.ts';
import { needsCertainModel } from './certain-model.ts';
import type { PassThrough } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import type { SuggestPath } from '../../http/nearest-path.ts';
import type { ForwardedUsage } from './forwarded-usage.ts';

/** The body of a request that is forwarded, received as far as its model has to be known. */
interface ReceivedBody {
  readonly model: string | undefined;
  /** The body to send, with the model renamed if a name is given. */
  send(model: string | undefined): OutgoingBody | Promise<OutgoingBody>;
}

interface OutgoingBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Undefined if it was sent in chunks. */
  readonly byteLength: number | undefined;
}

interface Receiving extends Forwarding {
  /** Whether the model of a form decides where it is forwarded: it is received up to its model then. */
  readonly modelDecides: boolean;
}

/** Receives a body: JSON as a whole, a form up to its model if that decides, and nothing of any other, which is passed on as it arrives. */
export async function receiveBody(receiving: Receiving): Promise<ReceivedBody> {
  const { call, server, access, abort, signal } = receiving;
  const mustBeCertain = needsCertainModel(access.policy);
  const format = bodyFormat(call.header, mustBeCertain);
  if (format === 'json') return receiveJson(receiving, mustBeCertain);
  const chunks = withBodyTimeouts(call.request.bytes(), server.bodyTimeouts, abort, signal);
  if (format === 'form') return receiveForm(receiving, chunks, mustBeCertain);
  return { model: undefined, send: () => ({ chunks, byteLength: declaredLength(call) }) };
}

async function receiveJson(
  { call, server, access: { memory }, usage }: Receiving,
  mustBeCertain: boolean,
): Promise<ReceivedBody> {
  const bytes = await readBody(call.request, server, memory);
  const json = await readJsonRequest(bytes, mustBeCertain);
  usage?.readLimits(json.members);
  return {
    model: json.model,
    async send(name) {
      const sent = name === undefined ? bytes : await renameModel(json, name);
      return { chunks: releasing(inPieces(sent), memory), byteLength: sent.byteLength };
    },
  };
}

async function receiveForm(
  { call, server, access: { memory }, modelDecides, onModel, abort, signal }: Receiving,
  chunks: AsyncIterable<Uint8Array>,
  mustBeCertain: boolean,
): Promise<ReceivedBody> {
  const find = abortOnError(createFormModelFinder(call.header('content-type') ?? '', mustBeCertain), abort);
  const length = declaredLength(call);
  if (!modelDecides && !mustBeCertain)
    return { model: undefined, send: () => ({ chunks: observeModel(chunks, find, onModel), byteLength: length }) };
  const form = await readUntilModel(chunks, find, { maxBytes: server.options.maxBodyBytes, memory });
  signal.throwIfAborted();
  const { model } = form;
  return {
    model: model?.text,
    send(name) {
      const addedBytes = model && name !== undefined ? Buffer.byteLength(name) - (model.end - model.start) : 0;
      return {
        chunks: replayForm(form, name, memory),
        byteLength: length === undefined ? undefined : length + addedBytes,
      };
    },
  };
}

/** Ends the request to the upstream, too, when a form turns out to be ambiguous. */
function abortOnError(find: FormModelFinder, abort: AbortController): FormModelFinder {
  return (chunk) => {
    try {
      return find(chunk);
    } catch (error) {
      abort.abort(error);
      throw error;
    }
  };
}

async function* releasing(chunks: AsyncIterable<Uint8Array>, memory: Access['memory']): AsyncGenerator<Uint8Array> {
  yield* chunks;
  memory.release();
}

function declaredLength(call: Call): number | undefined {
  const length = call.header('content-length');
  return length === null ? undefined : Number(length);
}

/** A request that is being forwarded. */
export interface Forwarding {
  readonly call: Call;
  readonly server: ServerContext;
  readonly passThrough: PassThrough;
  readonly suggestPath: SuggestPath;
  readonly access: Access;
  /** Below `/v1`, without its query. */
  readonly path: string;
  /** With its `?`; empty if there is none. */
  readonly query: string;
  /** Undefined for a request whose reply has no usage. */
  readonly usage: ForwardedUsage | undefined;
  /** Ends the request at the upstream. */
  readonly abort: AbortController;
  /** Aborts when the client leaves, too. */
  readonly signal: AbortSignal;
  /** Called when it is known which model the request names. */
  readonly onModel: (model: string) => void;
}
