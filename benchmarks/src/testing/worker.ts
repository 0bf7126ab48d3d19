import { LLMock } from '@copilotkit/aimock';
import { startTestServer } from '@modelwire/testing';
import { answerParent } from '../child.ts';
import { apiKey, requestBody } from '../http/payload.ts';
import { median } from '../statistics.ts';

/** Starts, or calls without a connection. */
export type TestingQuestion =
  { readonly start: 'modelwire' | 'aimock'; readonly times: number } | { readonly calls: number };

/** Milliseconds until it replies on a port: the first time in this process, and the median of the others. */
export interface Starts {
  readonly first: number;
  /** The same in CPU time, which other processes affect less. */
  readonly firstCpu: number;
  readonly later: number;
}

export interface Calls {
  readonly perSecond: number;
  /** Microseconds of CPU time of each call, including the caller. */
  readonly cpu: number;
}

answerParent(async (asked): Promise<Starts | Calls> => {
  const question = asked as TestingQuestion;
  return 'calls' in question ? calls(question.calls) : starts(question.start, question.times);
});

async function starts(who: 'modelwire' | 'aimock', times: number): Promise<Starts> {
  const took: number[] = [];
  const used: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    const cpu = process.cpuUsage();
    const started = (): void => {
      took.push(performance.now() - began);
      const { user, system } = process.cpuUsage(cpu);
      used.push((user + system) / 1000);
    };
    if (who === 'modelwire') {
      const server = await startTestServer({ replies: 'Yes.' });
      started();
      await server.close();
    } else {
      const mock = new LLMock({ port: 0, host: '127.0.0.1' });
      mock.onMessage(/./, { content: 'Yes.' });
      await mock.start();
      started();
      await mock.stop();
    }
  }
  return { first: took[0] ?? NaN, firstCpu: used[0] ?? NaN, later: median(took.slice(1)) };
}

/** Caller and server in one process, one call after the other. */
async function calls(count: number): Promise<Calls> {
  await using server = await startTestServer({
    apiKey,
    port: false,
    replies: [{ when: { message: /./ }, reply: 'Yes.' }],
  });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const body = requestBody('create');
  const ask = async (): Promise<unknown> =>
    (await server.fetch(`${server.baseURL}/chat/completions`, { method: 'POST', headers, body })).json();
  for (let call = 0; call < count; call++) await ask();
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let call = 0; call < count; call++) await ask();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / seconds, cpu: (user + system) / count };
}
