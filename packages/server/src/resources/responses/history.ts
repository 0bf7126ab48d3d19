import type { ResponseCreateParamsBase, ResponseItem } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, notFound, unsupported, invalidState } from '../../errors.ts';

/** More responses in one chain are refused: each costs a lookup. */
const maxResponses = 10_000;

type Continued = Pick<ResponseCreateParamsBase, 'previous_response_id' | 'conversation'>;

/**
 * The stored items that precede the input of a request: those of the chain of `previous_response_id`, or of the conversation.
 *
 * @throws a 400 when a response of the chain does not exist, has not ended, or the history is too long; a 404 for an unknown conversation.
 */
export async function readHistory(
  { previous_response_id: previous, conversation }: Continued,
  { principal, request }: Pick<Call, 'principal' | 'request'>,
  { options }: Pick<ServerContext, 'options'>,
): Promise<readonly ResponseItem[]> {
  const stores = options.stores?.project(principal.project);
  const maxLength = options.maxBodyBytes;
  if (previous !== undefined) {
    const recent = request.recentResponse?.find(previous);
    if (recent) return recent;
    const chain = stores
      ? await stores.responses.chain(previous, { maxResponses, maxLength })
      : ({ failure: 'not_found', id: previous } as const);
    if ('failure' in chain) {
      throw chain.failure === 'too_long'
        ? historyTooLarge('previous_response_id', maxLength)
        : previousNotFound(chain.id);
    }
    if (chain.status === 'queued' || chain.status === 'in_progress') {
      throw invalidState(`The response '${previous}' is ${chain.status}: it can be continued when it has ended.`);
    }
    return chain.items;
  }
  const id = conversationIdOf({ conversation });
  if (id === undefined) return [];
  if (!stores)
    throw unsupported(
      'conversation',
      "Unsupported parameter: 'conversation' is not supported: this server does not store conversations.",
    );
  const items = await stores.conversations.history(id, { maxLength });
  if (!items) throw notFound('conversation', id, 'conversation');
  if (items === 'too_long') throw historyTooLarge('conversation', maxLength);
  return items;
}

/** Whether a request continues a stored response or a conversation. */
export function continuesStored({ previous_response_id: previous, conversation }: Continued): boolean {
  return previous !== undefined || conversation !== undefined;
}

export function conversationIdOf({ conversation }: Pick<Continued, 'conversation'>): string | undefined {
  return typeof conversation === 'string' ? conversation : conversation?.id;
}

/** Hosted services respond with a 400, and clients check the code. */
function previousNotFound(id: string): RequestError {
  const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id;
  return new RequestError(`Previous response with id '${shown}' not found.`, {
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  });
}

function historyTooLarge(param: string, maxLength: number): RequestError {
  return new RequestError(
    `The stored items that '${param}' names are longer than ${maxLength} characters, or more than ${maxResponses} responses. Start a new chain or conversation.`,
    { status: 400, code: 'history_too_large', param },
  );
}
