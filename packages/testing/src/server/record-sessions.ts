import type { ModelwireServer } from '@modelwire/server';
import type { RecordedRequest, RequestLog } from './requests.ts';

type ResponseSessions = ModelwireServer['responseSessions'];

/** What the recorder reads of an event. */
interface SentEvent {
  readonly type?: unknown;
  readonly status?: unknown;
}

/** Records each message of a WebSocket connection as a `POST /v1/responses` with the message as its body. */
export function recordSessions(sessions: ResponseSessions, requests: RequestLog): ResponseSessions {
  return {
    ...sessions,
    open(upgrade, socket) {
      /** Messages that wait for their last event, in order. */
      const waiting: RecordedRequest[] = [];
      const session = sessions.open(upgrade, {
        ...socket,
        send(text) {
          recordEvent(waiting, text);
          socket.send(text);
        },
      });
      const message = session.message.bind(session);
      session.message = (text) => {
        const headers = Object.fromEntries(upgrade.headers());
        const recorded = { method: 'POST', url: '/v1/responses', headers, text, status: undefined };
        waiting.push(recorded);
        requests.add(recorded);
        message(text);
      };
      return session;
    },
  };
}

function recordEvent(waiting: RecordedRequest[], text: string): void {
  const [recorded] = waiting;
  if (!recorded) return;
  const { type, status } = JSON.parse(text) as SentEvent;
  recorded.status ??= type === 'error' && typeof status === 'number' ? status : 200;
  if (type === 'error' || /^response\.(?:completed|incomplete|failed)$/.test(String(type))) waiting.shift();
}
