import { RequestError } from '../errors.ts';

/** A path of a chat request as it occurs in `param` and, quoted, in messages. */
const quotedPath = /'([a-z_]+(?:\[\d+\]|\.[\w]+)*)'/g;

/** Renames the fields in an error of a chat request to those of the client's request. An error that names no field is returned unchanged. */
export function renameFields(error: RequestError, rename: (path: string) => string): RequestError {
  const { status, type, code, headers, cause, param, message } = error;
  if (param === null) return error;
  const renamedMessage = message.replace(quotedPath, (quoted, path: string) => {
    const renamed = rename(path);
    return renamed === path ? quoted : `'${renamed}'`;
  });
  return new RequestError(renamedMessage, { status, type, code, headers, cause, param: rename(param) });
}
