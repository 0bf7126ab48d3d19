import { parseEvents } from './exchange/events.ts';
import type { EventStream } from './exchange/events.ts';
import { isSuccess } from './exchange/response.ts';
import type { CompleteResponse } from './exchange/response.ts';
import { describeValue, valueAt } from './exchange/value.ts';

/** The server violates the API. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly response: CompleteResponse | undefined;
  readonly fix: string | undefined;

  constructor(reason: string, response?: CompleteResponse, fix?: string) {
    super(reason);
    this.response = response;
    this.fix = fix;
  }
}

/** The check does not apply here; the server is not at fault. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** Throws a `Violation` unless the condition is true. */
export function assertConforms(
  response: CompleteResponse,
  condition: boolean,
  reason: string,
  fix?: string,
): asserts condition {
  if (!condition) throw new Violation(reason, response, fix);
}

/** Throws a `Violation` unless the status is 2xx. */
export function assertSuccess(response: CompleteResponse): void {
  assertConforms(response, isSuccess(response), `The response has status ${response.status}.`);
}

/** Throws a `Violation` unless the status is one of these. */
export function assertStatus(response: CompleteResponse, ...statuses: readonly number[]): void {
  assertConforms(response, statuses.includes(response.status), statusReason(response, statuses.join(' or ')));
}

/** Throws a `Violation` unless the status is 4xx. */
export function assertClientError(response: CompleteResponse): void {
  assertConforms(response, response.status >= 400 && response.status < 500, statusReason(response, 'a 4xx'));
}

const statusReason = ({ sent, status }: CompleteResponse, expected: string): string =>
  `${sent.method} ${sent.path} returns ${status} instead of ${expected}.`;

/** Throws a `Violation` unless the response has these fields with these values. */
export function assertFields(response: CompleteResponse, expected: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(expected)) {
    const actual = valueAt(response.json, field);
    const reason = `Its ${field} is ${describeValue(actual)} instead of ${describeValue(value)}.`;
    assertConforms(response, actual !== undefined && actual === value, reason);
  }
}

/** The response of a request. Throws a `Violation` unless its status is 2xx. */
export async function successful(sent: Promise<CompleteResponse>): Promise<CompleteResponse> {
  const response = await sent;
  assertSuccess(response);
  return response;
}

/** The events of a stream. Throws a `Violation` unless its status is 200. */
export function successfulStream(response: CompleteResponse): EventStream {
  assertConforms(response, response.status === 200, `The stream request returns ${response.status}.`);
  return parseEvents(response);
}
