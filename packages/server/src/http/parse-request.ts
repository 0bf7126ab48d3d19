import type { TextFields } from '@modelwire/schema';
import { unsupportedEncoding, unwrapOrThrow, unsupportedContentType } from '../errors.ts';
import { receiveForm } from './forms/receive-form.ts';
import { isForm } from './forms/read-form.ts';
import { parseJson, requireJson } from './decode-body.ts';
import type { RequestState } from './request-state.ts';
import type { ContractForm } from './route.ts';

/**
 * Stage: parses query and body by the contract. Files of a form are stored when it resolves.
 *
 * @throws a 400 that names the field, a 408, 413 or 415 for a body that cannot be read, and what `preValidate` throws.
 */
export function parse<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<undefined> {
  const { route, request } = state;
  state.query = unwrapOrThrow(route.readQuery(request.url));
  if (route.idempotent) state.idempotencyKey = state.header('idempotency-key');
  return route.parse || route.parseForm ? parseBody(state) : undefined;
}

async function parseBody<Body, Query>(state: RequestState<Body, Query>): Promise<undefined> {
  const { route, request, server } = state;
  const { unknownFields } = server.options;
  const encoding = state.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding);
  // A stored response takes precedence over validation: the state of the resource may have changed since.
  if (route.preValidate && state.idempotencyKey === null) await route.preValidate(state, server);
  if (route.form && route.parseForm && isForm(state.header('content-type'))) {
    await parseForm(state, route.form, route.parseForm);
  } else if (!route.parse) throw unsupportedContentType('multipart/form-data');
  else if (request.parsedBody !== undefined) {
    state.body = unwrapOrThrow(route.parse(request.parsedBody, unknownFields));
  } else {
    requireJson(state.header('content-type'));
    const text = await request.text({
      maxBytes: server.options.maxBodyBytes,
      reserve: (bytes) => state.memory?.add(bytes),
      watchdog: server.bodyWatchdog,
    });
    state.bodyIdentity = text;
    state.body = unwrapOrThrow(route.parse(parseJson(text), unknownFields, text));
  }
}

async function parseForm<Body, Query>(
  state: RequestState<Body, Query>,
  form: ContractForm,
  parseFields: NonNullable<RequestState<Body, Query>['route']['parseForm']>,
): Promise<void> {
  const { server, client, request } = state;
  const fields = { ...form, parse: (textFields: TextFields) => parseFields(textFields, server.options.unknownFields) };
  const identify = state.idempotencyKey !== null;
  state.endForm = state.route.onForm?.(state, server);
  state.form = await receiveForm(request, fields, { server, client, identify });
  state.body = state.form.body;
  state.files = state.form.files;
  state.bodyIdentity = state.form.identity;
}
