import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { RequestLogEntry } from '@modelwire/server';
import { listenForTest } from '@modelwire/vitest/listen';
import { onTestFinished } from 'vitest';
import type { Config } from '../config/schema.ts';
import { startInProcess } from '../start/start.ts';
import { clientOf, key } from './test-server.ts';
import { testSettings } from './test-settings.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly traceparent: string | undefined;
}

/**
 * Starts an upstream that responds to each POST with the reply for its path: a status and a body, or the text of a chat completion, with 10
 * input and 2 output tokens. It lists the model `talker`.
 */
export async function startRecordingUpstream(
  replyTo: (path: string) => readonly [status: number, body: object] | string,
): Promise<{ readonly url: string; readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const upstream = createServer((request, response) => {
    void (async () => {
      const { method, url = '' } = request;
      if (method === 'GET') {
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'talker', object: 'model', created: 1 }] }));
        return;
      }
      const { stream } = (await json(request)) as { readonly stream?: boolean };
      requests.push({ path: url, traceparent: request.headers['traceparent']?.toString() });
      const reply = replyTo(url);
      if (typeof reply === 'string') {
        response.writeHead(200, { 'content-type': stream === true ? 'text/event-stream' : 'application/json' });
        response.end(stream === true ? streamOf(reply) : JSON.stringify(completionOf(reply)));
        return;
      }
      const [status, body] = reply;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  return { url: `http://${await listenForTest(upstream)}`, requests };
}

/** Creates a directory for the data of a server, which is removed after the test. */
export function createDataDirectory(): string {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-test-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  return data;
}

/** Starts the server app, and collects its log entries. Pass the `data` of an earlier server to restart it. */
export async function startObservedServer(config: Config, data = createDataDirectory()) {
  const log: RequestLogEntry[] = [];
  const running = await startInProcess(
    { apiKeys: [key], ...config, ...testSettings, data },
    { modifyServerOptions: (options) => ({ ...options, log: (entry) => void log.push(entry) }) },
  );
  const stop = (): Promise<void> => running.stop();
  onTestFinished(stop);
  return {
    url: running.url,
    client: clientOf(running.url),
    stores: running.stores,
    log,
    /** Returns the lines of the metrics that contain this text. */
    async metricLines(text: string): Promise<readonly string[]> {
      const lines = (await (await fetch(`${running.url}/metrics`)).text()).split('\n');
      return lines.filter((line) => line.includes(text) && !line.startsWith('#'));
    },
    stop,
  };
}

const completionBase = { id: 'chatcmpl-1', created: 1, model: 'talker' };
const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

function completionOf(content: string): object {
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop', logprobs: null }];
  return { ...completionBase, object: 'chat.completion', choices, usage };
}

function streamOf(content: string): string {
  const base = { ...completionBase, object: 'chat.completion.chunk' };
  const chunks = [
    { ...base, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...base, choices: [], usage },
  ];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
