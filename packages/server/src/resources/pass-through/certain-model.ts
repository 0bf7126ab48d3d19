import type { PassThrough } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { mayNameModelInPath, mayNameOtherModelInQuery } from '../../http/pass-through/model-outside-body.ts';
import { uncertainModel } from '../../http/pass-through/model-name.ts';
import type { Policy } from '../../limits/policies.ts';

/** Whether the key may not use every model, or pays for each by its price: the checked model has to be that which the upstream reads. */
export function needsCertainModel(policy: Policy): boolean {
  return policy.allowedModels.length > 0 || policy.budgetUnits.has('cost');
}

/** @throws a 403 for a path or a query in which the upstream may read a model that is not checked. */
export function assertModelOnlyInBody(
  path: string,
  query: string,
  passThrough: PassThrough,
  server: ServerContext,
): void {
  const isModel = (name: string): boolean =>
    server.options.modelAliases.has(name) || isListedModel(passThrough, path, name);
  if (mayNameModelInPath(path, isModel) || mayNameOtherModelInQuery(query)) throw uncertainModel();
}

/** Whether an upstream lists the model, or may do so. */
export function isListedModel(passThrough: Pick<PassThrough, 'find'>, path: string, name: string): boolean {
  try {
    return passThrough.find(path, name)?.model !== undefined;
  } catch {
    // It is unknown at present which models there are.
    return true;
  }
}
