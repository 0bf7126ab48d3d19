import { isRecord } from '@modelwire/adapter-kit';
import { invalid, unsupported } from '../../errors.ts';
import { parseClientJson } from '../../http/parse-request.ts';

/** The request in a message of a WebSocket connection: an event `response.create`, which has the fields of a request to create a response. */
interface CreateEvent {
  /** The body of the request, which always streams. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly previousResponseId: unknown;
}

/** @throws a 400 for any other message. */
export async function readCreateEvent(message: string): Promise<CreateEvent> {
  const event = await parseClientJson(message);
  if (!isRecord(event)) throw invalid(null, 'A message must be a JSON object.', 'invalid_json');
  const { type, stream: _, background, generate, stream_id, ...body } = event;
  if (type !== 'response.create') {
    throw invalid('type', "Invalid value for 'type': the only event of clients is 'response.create'.");
  }
  if (background === true) {
    throw unsupported(
      'background',
      "Unsupported parameter: 'background' is not supported on WebSocket connections: create the response by POST /v1/responses.",
    );
  }
  if (generate === false) {
    throw unsupported(
      'generate',
      "Unsupported value: 'generate' cannot be false: the server prepares nothing in advance.",
    );
  }
  if (stream_id !== undefined && stream_id !== null) {
    throw unsupported(
      'stream_id',
      "Unsupported parameter: 'stream_id' is not supported: responses of one connection are created sequentially.",
    );
  }
  return { body: { ...body, stream: true }, previousResponseId: body['previous_response_id'] };
}
