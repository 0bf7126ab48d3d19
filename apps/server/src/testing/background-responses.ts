import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, vi } from 'vitest';
import { key } from './test-server.ts';

/** A model of the simulator whose reply takes most of a second. */
export const model = 'words';
export const reply = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
export const slowSimulator = { models: [{ id: model, reply }], tokensPerSecond: 100 };

/** Creates a background response; undefined when the server is killed before it has answered. */
export async function createInBackground({ responses }: OpenAI, stream: boolean): Promise<string | undefined> {
  try {
    const body = { model, input: 'Go', background: true } as const;
    if (!stream) return (await responses.create(body)).id;
    for await (const event of await responses.create({ ...body, stream })) {
      if (event.type === 'response.created') return event.response.id;
    }
  } catch {
    // Killed: whether the response exists is unknown.
  }
  return undefined;
}

/** The response when it has ended. */
export function waitForEnd({ responses }: OpenAI, id: string, timeout: number): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await responses.retrieve(id);
      expect(['queued', 'in_progress']).not.toContain(response.status);
      return response;
    },
    { timeout, interval: 100 },
  );
}

/** The stored events. The client of the SDK would throw at an event of the type `error`. */
export async function eventsOf(url: string, id: string): Promise<readonly ResponseStreamEvent[]> {
  const stream = await fetch(`${url}/v1/responses/${id}?stream=true&include_obfuscation=false`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const frames = (await stream.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return frames.map((line) => JSON.parse(line.slice('data: '.length)) as ResponseStreamEvent);
}

/** The events of a response that was streamed: numbered without a gap, ended once, and complete after the last start. */
export async function checkEvents(url: string, { id, status }: Response): Promise<void> {
  const events = await eventsOf(url, id);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)?.type).toBe(`response.${status}`);
  const lastStart = events.findLastIndex(({ type }) => type === 'response.in_progress');
  const text = events.slice(lastStart).map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
  if (status === 'completed') expect(text.join('')).toBe(reply);
}
