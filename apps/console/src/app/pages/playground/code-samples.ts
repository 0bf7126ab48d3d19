import type { ChatStreamParams } from '@modelwire/client';
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

/** A JSON value as a Python expression. */
function pythonLiteral(value: unknown, depth: number): string {
  const indent = '    '.repeat(depth + 1);
  const closingIndent = '    '.repeat(depth);
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((entry) => `${indent}${pythonLiteral(entry, depth + 1)},`).join('\n')}\n${closingIndent}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    const lines = entries.map(
      ([name, entry]) => `${indent}${JSON.stringify(name)}: ${pythonLiteral(entry, depth + 1)},`,
    );
    return `{\n${lines.join('\n')}\n${closingIndent}}`;
  }
  return JSON.stringify(value);
}

function typescriptSample(baseURL: string, request: ChatStreamParams): string {
  const body = JSON.stringify(request, null, 2);
  return `import { Modelwire } from '@modelwire/client';

const client = new Modelwire({ apiKey: process.env.MODELWIRE_API_KEY, baseURL: ${JSON.stringify(baseURL)} });
const stream = client.chat.completions.stream(${body});
for await (const text of stream.text()) process.stdout.write(text);`;
}
