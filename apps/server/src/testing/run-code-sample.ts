import { Script, createContext } from 'node:vm';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

interface SampleOptions {
  /** Of the server, without `/v1`. */
  readonly url: string;
  readonly key?: string;
  /** Sends the requests of the SDKs. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Runs a JavaScript sample of the document, whose imports are the official SDKs, and returns what it prints. */
export async function runCodeSample(source: string, { url, key = 'key', fetch }: SampleOptions): Promise<unknown> {
  const options = {
    maxRetries: 0,
    fetch: (to: string | URL | Request, init: RequestInit = {}) =>
      fetch(to instanceof Request ? to.url : String(to), init),
  };
  let printed: unknown;
  const context = createContext({
    OpenAI: class extends OpenAI {
      constructor(init: ConstructorParameters<typeof OpenAI>[0]) {
        super({ ...init, ...options });
      }
    },
    Anthropic: class extends Anthropic {
      constructor(init: ConstructorParameters<typeof Anthropic>[0]) {
        super({ ...init, ...options });
      }
    },
    createReadStream: () => new File(['hello world'], 'input.txt'),
    process: { env: { MODELWIRE_BASE_URL: `${url}/v1`, MODELWIRE_API_KEY: key } },
    console: { log: (value: unknown) => (printed = value) },
  });
  const program = source.replaceAll(/^import .*\n/gm, '');
  await new Script(`(async () => {${program}\n})()`).runInContext(context);
  return printed;
}
