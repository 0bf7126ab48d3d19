import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import type { EventStream } from '../../exchange/events.ts';
import { parseJson } from '../../exchange/parse-json.ts';
import { listAt, numberAt, textAt } from '../../exchange/value.ts';
import type { RunContext } from '../../context/run-context.ts';
import { tokenText } from './token-text.ts';
import { sendChat } from './send.ts';
import { assertConforms, Skip, successfulStream } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const section = 'Chat completion chunk object';

/** A stream with a tool call; throws a `Skip` when the server rejects the request. */
async function openToolStream(
  context: RunContext,
): Promise<{ stream: EventStream; calls: readonly unknown[]; choices: readonly unknown[] }> {
  const response = await sendChat(context, {
    stream: true,
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [
      {
        type: 'function',
        function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    ],
    tool_choice: 'required',
  });
  if (response.status === 400) throw new Skip('the server rejects tools');
  const stream = successfulStream(response);
  const choices = stream.chunks.flatMap(({ json }) => listAt(json, 'choices'));
  return { stream, choices, calls: choices.flatMap((choice) => listAt(choice, 'delta', 'tool_calls')) };
}

/** Streamed tool calls. */
export const toolStreamChecks: readonly Check[] = [
  check(CREATE, 'stream.tools.index', {
    title: 'Each delta of a tool call has the index of its call',
    section,
    weight: 2,
    async run(context) {
      const { stream, calls } = await openToolStream(context);
      assertConforms(stream.response, calls.length > 0, 'No delta has tool_calls.');
      assertConforms(
        stream.response,
        calls.every((call) => numberAt(call, 'index') !== undefined),
        'A delta of a call has no index.',
      );
    },
  }),
  check(CREATE, 'stream.tools.head', {
    title: 'The first delta of a tool call has its ID, type and name',
    section,
    async run(context) {
      const { stream, calls } = await openToolStream(context);
      const [first] = calls;
      assertConforms(stream.response, (textAt(first, 'id') ?? '') !== '', 'It has no ID.');
      assertConforms(stream.response, textAt(first, 'type') === 'function', 'Its type is not function.');
      assertConforms(
        stream.response,
        textAt(first, 'function', 'name') === 'weather',
        'It does not name the function.',
      );
    },
  }),
  check(CREATE, 'stream.tools.arguments', {
    title: 'The deltas of a tool call add up to its arguments',
    section,
    async run(context) {
      const { stream, calls } = await openToolStream(context);
      const callChunks = calls.filter((call) => numberAt(call, 'index') === 0);
      const text = callChunks.map((call) => textAt(call, 'function', 'arguments') ?? '').join('');
      assertConforms(
        stream.response,
        isObject(text),
        `Together they are '${text.slice(0, 200)}', which is not a JSON object.`,
      );
    },
  }),
  check(CREATE, 'stream.tools.once', {
    title: 'Later deltas of a tool call do not repeat its ID and name',
    section: 'companion',
    certainty: 'likely',
    weight: 1,
    async run(context) {
      const { stream, calls } = await openToolStream(context);
      const laterDeltas = calls.filter((call) => numberAt(call, 'index') === 0).slice(1);
      const repeated = laterDeltas.some((call) => (textAt(call, 'function', 'name') ?? '') !== '');
      assertConforms(stream.response, !repeated, 'A later delta repeats the name, which clients append.');
    },
  }),
  check(CREATE, 'stream.tools.finish', {
    title: 'A stream with tool calls ends with finish_reason tool_calls',
    section,
    async run(context) {
      const { stream, choices } = await openToolStream(context);
      const reason = choices.map((choice) => textAt(choice, 'finish_reason')).findLast((one) => one !== undefined);
      assertConforms(
        stream.response,
        reason === 'tool_calls' || reason === 'stop',
        `It ends with '${reason ?? 'nothing'}'.`,
      );
    },
  }),
  check(CREATE, 'stream.logprobs', {
    title: 'Streamed logprobs match the streamed tokens',
    section,
    async run(context) {
      const response = await sendChat(context, { stream: true, logprobs: true, top_logprobs: 1 });
      if (response.status === 400) throw new Skip('the server rejects logprobs');
      const choices = successfulStream(response).chunks.flatMap(({ json }) => listAt(json, 'choices'));
      const text = choices.map((choice) => textAt(choice, 'delta', 'content') ?? '').join('');
      const tokens = choices.flatMap((choice) => listAt(choice, 'logprobs', 'content'));
      assertConforms(response, tokens.length > 0, 'No chunk has logprobs.');
      assertConforms(response, tokenText(tokens) === text, 'The tokens do not add up to the text.');
    },
  }),
];

function isObject(text: string): boolean {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null;
}
