import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { errorInReply, unexpectedReply } from '../attempts/failures.ts';
import type { FailureInReply } from '../attempts/failures.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { errorFields } from './error-body.ts';

interface TypedEvent {
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** Reads an event of an API whose events have types, which are sent on as their names. */
export function readTypedEvent(payload: string, server: ServerSettings): TypedEvent | FailureInReply {
  const event = parseJson(payload);
  const error = errorFields(event);
  if (error !== undefined) return { failure: errorInReply(error, server) };
  const type = isRecord(event) ? event['type'] : undefined;
  if (!isRecord(event) || typeof type !== 'string' || !/^\w[\w.-]*$/.test(type))
    return { failure: unexpectedReply('an event without a valid type', server.name) };
  return { event: { ...event, type } };
}
