import type { PassThrough } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import type { Policy } from '../../limits/policies.ts';
import { RequestError, invalid } from '../../errors.ts';

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

/** Longer names cannot be model IDs. */
export const maxNameLength = 1024;

export function uncertainModel(): RequestError {
  const message =
    'The model of this request cannot be read with certainty, and this key may not use every model. Send JSON or a form that names it once, as text.';
  return new RequestError(message, {
    status: 403,
    code: 'model_not_allowed',
    param: 'model',
  });
}

export function ambiguousModel(): RequestError {
  return invalid('model', "Ambiguous parameter: 'model'. The request must name the model once.");
}

/** Segments that are followed by the name of a model or of its deployment, as in `/engines/m/completions` and `/deployments/m/chat`. */
const parents: ReadonlySet<string> = new Set(
  ['engine', 'model', 'deployment', 'endpoint', 'tunedmodel', 'predictor'].flatMap((name) => [name, `${name}s`]),
);

/** Parameters of a query that can name a model, besides `model` itself. */
const modelParameter = /^(?:models?|engines?|deployments?)(?:[._-]?(?:ids?|names?|versions?))?$/;

/** Whether a path names a model, which the body need not name then. */
export function mayNameModelInPath(path: string, isModel: (name: string) => boolean): boolean {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => decodeURIComponent(segment));
  return segments.some((segment, index) => {
    const parent = segments[index - 1]?.toLowerCase().replaceAll(/[_-]/g, '');
    // `m:generate` is a method of the model `m`.
    if ((parent !== undefined && parents.has(parent)) || segment.includes(':') || segment.startsWith('@')) return true;
    // Names of models may contain slashes.
    return segments.slice(index).some((_, length) => isModel(segments.slice(index, index + length + 1).join('/')));
  });
}

/** Whether some parser could read a model in a query, other than its only parameter `model`. */
export function mayNameOtherModelInQuery(query: string): boolean {
  // Some parsers separate parameters by semicolons.
  if (/;|%3b/i.test(query)) return true;
  const names = [...new URLSearchParams(query).keys()];
  if (names.filter((name) => name === 'model').length > 1) return true;
  return names.some(
    (name) => name !== 'model' && modelParameter.test((name.split('[', 1)[0] ?? '').trim().toLowerCase()),
  );
}

/** Whether a header of a request names a model to some servers, such as `x-model` and `azureml-model-deployment`. */
export function mayNameModelInHeader(name: string): boolean {
  return /model|deployment|engine/.test(name);
}
