import { describe, expect, test } from 'vitest';
import { json } from '../../test/recording.ts';
import { serve, startEvents } from '../../test/server.ts';
import { create, DONE, drain, event, openStream } from '../../test/streams.ts';
import { BadRequestError, InputError, ModelwireError } from '../errors.ts';
import type { InspectContext } from './options.ts';
import { createTransport } from './transport.ts';

describe('inspect', () => {
  test('receives each successful JSON response, with the details for an error about it', async () => {
    const { baseURL } = await serve((response, _, count) => json(response, { n: count }, count === 2 ? 400 : 200));
    const inspected: [unknown, InspectContext][] = [];
    const transport = createTransport({ baseURL, inspect: (value, context) => void inspected.push([value, context]) });
    expect(await transport.request(create)).toEqual({ n: 1 });
    await expect(transport.request(create)).rejects.toBeInstanceOf(BadRequestError);
    expect(inspected).toMatchObject([
      [{ n: 1 }, { route: create, part: 'response', details: { status: 200, requestId: 'req_1' } }],
    ]);
  });

  test('fails the call with what it throws, without a retry', async () => {
    const server = await serve((response) => json(response, {}));
    const refusal = new InputError('not this');
    const transport = createTransport({
      baseURL: server.baseURL,
      inspect() {
        throw refusal;
      },
    });
    await expect(transport.request(create)).rejects.toBe(refusal);
    expect(server.received).toHaveLength(1);
  });

  test('receives each payload of a stream before the caller; an error that it throws fails the stream at that point', async () => {
    const stream = await openStream(
      (response) => {
        startEvents(response);
        response.end(event(1) + event(2) + event(3) + DONE);
      },
      {
        inspect(value, { part }) {
          if (part === 'event' && JSON.stringify(value) === '{"n":2}') throw new RangeError('two');
        },
      },
    );
    const { received, error } = await drain(stream);
    expect(received).toEqual([1]);
    expect(error).toBeInstanceOf(ModelwireError);
    expect(error).toMatchObject({ cause: { message: 'two' }, requestId: 'req_1', status: 200 });
    expect(stream.state).toBe('failed');
  });
});
