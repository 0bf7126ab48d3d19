import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { listen } from '../../testing/listen.ts';
import { postResponse, refusalOf } from '../../testing/responses.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

/** A model whose context holds three messages. */
function engineOfThree() {
  return scriptedEngine(({ messages }) => {
    if (messages.length > 3) {
      throw new RequestError('too long', { status: 400, code: 'context_length_exceeded', param: 'messages' });
    }
    return says('Hi');
  });
}

const turns = ['One', 'Two', 'Three', 'Four', 'Five'];
const body = {
  model: 'scripted',
  instructions: 'Be brief.',
  input: turns.map((content) => ({ role: 'user', content })),
};

test('input beyond the context of the model fails and names input', async () => {
  const { url } = await listen({ engines: [engineOfThree()] });
  const refusal = await refusalOf(await postResponse(url, body));
  expect(refusal).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'input' });
});

test.each([true, false])(
  'with truncation: auto the oldest turns are dropped until it fits (stream: %s)',
  async (stream) => {
    const engine = engineOfThree();
    const { url } = await listen({ engines: [engine] });
    const response = await postResponse(url, { ...body, truncation: 'auto', stream });
    expect(response.status).toBe(200);
    await response.text();
    expect(engine.asked.at(-1)?.request.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Four' },
      { role: 'user', content: 'Five' },
    ]);
  },
);

test('one turn that is too long fails also with truncation: auto', async () => {
  const engine = scriptedEngine(() => {
    throw new RequestError('too long', { status: 400, code: 'context_length_exceeded', param: 'messages' });
  });
  const { url } = await listen({ engines: [engine] });
  const refusal = await refusalOf(await postResponse(url, { ...body, truncation: 'auto' }));
  expect(refusal).toMatchObject({ status: 400, code: 'context_length_exceeded' });
});
