import { isJsonType } from '@modelwire/adapter-kit';
import { unsupportedContentType, unsupportedEncoding } from '../../errors.ts';
import { isForm } from '../forms/receive-form.ts';
import { isRegularFormType } from './part-headers.ts';

/** How a model is read in a body; `other`: it is not. */
type BodyFormat = 'json' | 'form' | 'other';

/** The charset is UTF-8, as JSON requires it. */
const regularJsonType = /^application\/(?:[\w.-]+\+)?json(?: *; *charset="?utf-8"?)?$/i;

/**
 * The format of a body by its headers.
 *
 * @param mustBeCertain Whether the model has to be known with certainty, since the key may not use every model, or has to pay for it.
 * @throws a 415 for a body in which no certain model can be read: of another type, charset or content coding than JSON and forms in UTF-8.
 */
export function bodyFormat(header: (name: string) => string | null, mustBeCertain: boolean): BodyFormat {
  const encoding = header('content-encoding');
  const contentType = header('content-type') ?? '';
  if (mustBeCertain) {
    if (encoding !== null) throw unsupportedEncoding(encoding);
    if (isRegularFormType(contentType)) return 'form';
    if (regularJsonType.test(contentType.trim())) return 'json';
    throw unsupportedContentType('application/json or multipart/form-data');
  }
  if (encoding !== null) return 'other';
  if (isForm(contentType)) return 'form';
  return isJsonType(contentType) && hasUtf8(contentType) ? 'json' : 'other';
}

function hasUtf8(contentType: string): boolean {
  const charsets = contentType.toLowerCase().matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/g);
  return [...charsets].every(([, charset]) => charset === 'utf-8' || charset === 'us-ascii');
}
