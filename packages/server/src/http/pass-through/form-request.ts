import { bodyTooLarge } from '../../errors.ts';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import { FormFieldFinder } from './form-field.ts';
import type { FormField } from './form-field.ts';
import { ambiguousModel, maxNameLength, uncertainModel } from './model-name.ts';
import { inPieces } from './in-pieces.ts';

/**
 * Finds the model in the chunks of a form, all of which must be passed to it. Returns it with the chunk in which it ends.
 *
 * @throws a 400 if the form could name another model, depending on its parser: the upstream would use one that was not checked. A 403 instead if
 * the model must be certain, also for a form that parsers could read in different ways.
 */
export type FormModelFinder = (chunk: Uint8Array) => FormField | undefined;

export function createFormModelFinder(contentType: string, mustBeCertain: boolean): FormModelFinder {
  const finder = FormFieldFinder.create(contentType, 'model', maxNameLength);
  return (chunk) => {
    const found = finder?.write(chunk);
    if (mustBeCertain && !isCertain(finder)) throw uncertainModel();
    if (finder?.isAmbiguous === true) throw ambiguousModel();
    return found;
  };
}

function isCertain(finder: FormFieldFinder | undefined): boolean {
  return finder !== undefined && !finder.isAmbiguous && finder.isRegular && !finder.hasUnreported;
}

/** The beginning of a form, up to the chunk in which its model ends, and the rest. */
interface BufferedForm {
  readonly model: FormField | undefined;
  /** In memory. */
  readonly beginning: Uint8Array;
  readonly rest: AsyncIterator<Uint8Array>;
  readonly find: FormModelFinder;
}

/**
 * Reads a form until its model is found. What is read is kept, and reserved before.
 *
 * @throws a 413 when the model is not among the first `maxBytes`, a 503 when there is no memory for them, and what the body throws.
 */
export async function readUntilModel(
  body: AsyncIterable<Uint8Array>,
  find: FormModelFinder,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: ByteReservation },
): Promise<BufferedForm> {
  const rest = body[Symbol.asyncIterator]();
  const chunks = new ChunkBuffer();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const chunk = next.value;
    if (chunks.length + chunk.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    memory.acquireNow(chunk.byteLength);
    chunks.add(chunk);
    const model = find(chunk);
    if (model) return { model, beginning: chunks.join(), rest, find };
  }
  return { model: undefined, beginning: chunks.join(), rest, find };
}

/** The complete form, with the model renamed if a name is given. The memory of its beginning is released once it was read. */
export async function* replayForm(
  { model, beginning, rest, find }: BufferedForm,
  rename: string | undefined,
  memory: ByteReservation,
): AsyncGenerator<Uint8Array, void, undefined> {
  let hasEnded = false;
  try {
    if (model && rename !== undefined) {
      yield* inPieces(beginning.subarray(0, model.start));
      yield Buffer.from(rename);
      yield* inPieces(beginning.subarray(model.end));
    } else yield* inPieces(beginning);
    memory.release();
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      find(next.value);
      yield next.value;
    }
    hasEnded = true;
  } finally {
    if (!hasEnded) await rest.return?.();
  }
}

/** Passes a form on, and reports its model when it is found. */
export async function* observeModel(
  body: AsyncIterable<Uint8Array>,
  find: FormModelFinder,
  onModel: (name: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    const model = find(chunk);
    if (model) onModel(model.text);
    yield chunk;
  }
}
