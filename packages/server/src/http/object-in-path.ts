import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';

/** An object whose ID is a parameter of the path. */
export interface ObjectInPath {
  id(call: Pick<Call, 'params'>): string;
  /** @throws the 404 of the object. It does not reveal whether it does not exist, or belongs to another project. */
  throwNotFound(call: Pick<Call, 'params'>): never;
}

export function objectInPath(object: string, param: string): ObjectInPath {
  const id = ({ params }: Pick<Call, 'params'>): string => params[param] ?? '';
  return {
    id,
    throwNotFound(call) {
      throw notFound(object, id(call), param);
    },
  };
}
