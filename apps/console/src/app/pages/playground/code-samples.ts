import type { ChatStreamParams } from '@modelwire/client';
import { pythonLiteral } from '@modelwire/schema/internal/python-literal';
import { curlCommand } from '../../api/curl-command.ts';

export type SampleLanguage = 'curl' | 'python' | 'typescript';

/** A program that sends the request, with the official SDK of the language. The key comes from the environment. */
export function codeSample(language: SampleLanguage, baseURL: string, request: ChatStreamParams): string {
  switch (language) {
    case 'curl':
      return curlCommand(`${baseURL}/chat/completions`, { ...request, stream: true }, 2);
    case 'python':
      return pythonSample(baseURL, request);
    case 'typescript':
      return typescriptSample(baseURL, request);
  }
}

function pythonSample(baseURL: string, request: ChatStreamParams): string {
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(baseURL)}, api_key=os.environ["MODELWIRE_API_KEY"])
stream = client.chat.completions.create(
${Object.entries(request)
  .map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},`)
  .join('\n')}
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`;
}

function typescriptSample(baseURL: string, request: ChatStreamParams): string {
  const body = JSON.stringify(request, null, 2);
  return `import { Modelwire } from '@modelwire/client';

const client = new Modelwire({ apiKey: process.env.MODELWIRE_API_KEY, baseURL: ${JSON.stringify(baseURL)} });
const stream = client.chat.completions.stream(${body});
for await (const text of stream.text()) process.stdout.write(text);`;
}
