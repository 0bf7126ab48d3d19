import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { resumableStream, resumableStreamId } from '../../context/create-objects.ts';
import type { RunContext } from '../../context/run-context.ts';
import { assertConforms, successful } from '../../verdict.ts';

const RESUME = 'chat.completions.resume';
const common = { section: 'companion', certainty: 'opinion', weight: 1, needs: ['chat.completions.create'] } as const;

const resume = async (context: RunContext, after?: number): Promise<CompleteResponse> =>
  successful(
    context.send({
      method: 'GET',
      path: `/chat/completions/${await resumableStreamId(context)}/stream`,
      ...(after !== undefined && { query: [['starting_after', String(after)]] }),
    }),
  );

/** Reading a resumable stream again. */
export const resumeChecks: readonly Check[] = [
  check(RESUME, 'ids', {
    ...common,
    title: 'The events of a resumable stream have the IDs 0, 1, 2 and so on',
    async run(context) {
      const response = await resumableStream(context);
      const ids = [...response.text.matchAll(/^id: ?(.*)$/gm)].map(([, id]) => id);
      assertConforms(response, ids.length > 0, 'Its events have no IDs.');
      assertConforms(
        response,
        ids.every((id, index) => id === String(index)),
        `The IDs are ${ids.join(', ').slice(0, 100)}.`,
      );
    },
  }),
  check(RESUME, 'same', {
    ...common,
    title: 'A resumable stream is sent again as it was',
    async run(context) {
      const { text } = await resumableStream(context);
      const response = await resume(context);
      assertConforms(response, response.text === text, 'It is different.');
    },
  }),
  check(RESUME, 'after', {
    ...common,
    title: 'starting_after continues a resumable stream after that event',
    async run(context) {
      const { text } = await resumableStream(context);
      const response = await resume(context, 0);
      const rest = text.slice(text.indexOf('id: 1\n'));
      assertConforms(response, response.text === rest, 'It does not continue with the next event.');
    },
  }),
];
