import { isRecord, stringifyJson, yieldAfterLarge } from '@modelwire/adapter-kit';
import { decodeText } from '../read-body.ts';
import { orderedObject } from '../../json/ordered-object.ts';
import { parseClientJson } from '../parse-request.ts';
import { ambiguousModel, maxNameLength, uncertainModel } from './model-name.ts';

/** The JSON body of a request that is forwarded. */
interface JsonRequest {
  /** The model that it names; undefined if it names none, or not as text. */
  readonly model: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Reads a body as the server reads its own: strictly, so that the upstream finds the same.
 *
 * @param mustBeCertain Whether a body that other parsers could read differently is refused, such as one with the model in another case.
 * @throws a 400 for a body that is no JSON or names the model twice; a 403 instead if the model must be certain.
 */
export async function readJsonRequest(bytes: Uint8Array, mustBeCertain: boolean): Promise<JsonRequest> {
  if (mustBeCertain && bytes[0] === byteOrderMark) throw uncertainModel();
  if (bytes.byteLength === 0) return { model: undefined, members: {} };
  const value = await parseBytes(bytes).catch((error: unknown) => {
    throw mustBeCertain ? uncertainModel() : error;
  });
  const members = isRecord(value) ? value : {};
  const names = Object.keys(members).filter((name) => name.toLowerCase() === 'model');
  if (names.length > 1) throw mustBeCertain ? uncertainModel() : ambiguousModel();
  const { model } = members;
  const isName = typeof model === 'string' && model.length <= maxNameLength;
  if (mustBeCertain && names.length > 0 && !isName) throw uncertainModel();
  return { model: isName ? model : undefined, members };
}

/** The body with another name of the model. Everything else is written as it was, numbers that no double holds included. */
export async function renameModel({ members }: JsonRequest, model: string): Promise<Uint8Array> {
  const renamed = Object.entries(members).map(([name, value]) => [name, name === 'model' ? model : value] as const);
  return Buffer.from(await stringifyJson(orderedObject(renamed)));
}

/** The first byte of a byte order mark, which no JSON begins with. */
const byteOrderMark = 0xef;

async function parseBytes(bytes: Uint8Array): Promise<unknown> {
  await yieldAfterLarge(bytes.byteLength);
  return parseClientJson(decodeText(bytes, 'The request body'));
}
