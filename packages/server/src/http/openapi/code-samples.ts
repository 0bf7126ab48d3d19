import type { Endpoint } from '@modelwire/schema';
import { pythonLiteral } from '@modelwire/schema/internal/python-literal';
import type { Json } from './components.ts';

/** A request in the terms that the samples of all languages have in common. */
interface SampleCall {
  /** The ID of the endpoint, such as `chat.completions.create`, after which the official SDKs name their methods. */
  readonly id: string;
  readonly method: string;
  /** Below `/v1`, with a value for each required parameter. */
  readonly path: string;
  /** The parameters of the path, with their values. */
  readonly ids: readonly (readonly [name: string, value: string])[];
  readonly body: Json | undefined;
  /** The names of fields that are files. */
  readonly files: readonly string[];
  readonly isBinary: boolean;
}

/**
 * Programs that send the first example of an endpoint, with curl and the official SDKs. The base URL and the key come from the
 * environment. `parameters` are those of the operation: the required ones of the query are sent.
 */
export function codeSamples(
  endpoint: Endpoint,
  model: string | undefined,
  parameters: readonly Json[],
): readonly Json[] {
  const query = parameters.filter((each) => each['in'] === 'query' && each['required'] === true);
  const search = query.map(({ name, example }) => `${String(name)}=${String(example)}`).join('&');
  const call = sampleCall(endpoint, model, search);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(call) },
    { lang: 'Python', label: 'Python', source: pythonSample(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: javascriptSample(call) },
    { lang: 'Go', label: 'Go', source: goSample(call) },
  ];
}

function sampleCall(
  { id, route, pathParams, request, response }: Endpoint,
  model: string | undefined,
  search: string,
): SampleCall {
  const ids = Object.keys(pathParams.shape).map(
    (name) => [name, name === 'model' ? (model ?? 'MODEL') : name.toUpperCase()] as const,
  );
  const body = request.find(({ type }) => type === 'application/json') ?? request[0];
  const example = Object.values(body?.examples ?? {})[0];
  const path = ids.reduce<string>((text, [name, value]) => text.replace(`{${name}}`, value), route.path);
  return {
    id,
    method: route.method,
    path: `${path.replace(/^\/v1/, '')}${search && '?'}${search}`,
    ids,
    body: example && 'model' in example && model !== undefined ? { ...example, model } : example,
    files:
      body?.type === 'multipart/form-data' ? body.files.filter((file) => file.required).map(({ name }) => name) : [],
    isBinary: response.type === 'binary',
  };
}

function curlSample({ method, path, body, files, isBinary }: SampleCall): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const fields = Object.entries(body ?? {}).map(([name, value]) => `-F ${quote(`${name}=${String(value)}`)}`);
  const content =
    files.length > 0
      ? [...fields, ...files.map((name) => `-F ${name}=@input.txt`)]
      : body
        ? ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body, null, 2))}`]
        : [];
  const isDefault = method === (content.length > 0 ? 'POST' : 'GET');
  return [
    `curl ${isDefault ? '' : `-X ${method} `}"$MODELWIRE_BASE_URL${path}"`,
    '-H "Authorization: Bearer $MODELWIRE_API_KEY"',
    ...content,
    ...(isBinary ? ['--output output'] : []),
  ].join(' \\\n  ');
}

const isOfAnthropic = ({ id }: SampleCall): boolean => id.startsWith('messages.');

/** The method of the official SDK, with underscores; undefined for endpoints that only this server has. */
function sdkMethod({ id }: SampleCall): string | undefined {
  if (/^(organization|usage|datasets|capabilities)\./.test(id) || id === 'chat.completions.resume') return undefined;
  return id === 'videos.content' ? 'videos.download_content' : id;
}

/** The last ID of the path comes first in calls; the others are parameters. */
function argumentsOf({ ids, body }: SampleCall): { readonly first: string | undefined; readonly params: Json } {
  const others = ids.slice(0, -1);
  return { first: ids.at(-1)?.[1], params: { ...Object.fromEntries(others), ...body } };
}

function pythonSample(call: SampleCall): string {
  // The Python SDK takes only files as videos, not the ID of one.
  const name = /^videos\.(edit|extend)$/.test(call.id) ? undefined : sdkMethod(call);
  const { first, params } = argumentsOf(call);
  const literal = (value: unknown): string => pythonLiteral(value, 1);
  const named = Object.entries(params).map(([param, value]) => `${param}=${literal(value)}`);
  const files = call.files.map((file) => `${file}=open("input.txt", "rb")`);
  const ids = first === undefined ? [] : [JSON.stringify(first)];
  const [method, parts] =
    name === undefined
      ? [
          call.method.toLowerCase(),
          [JSON.stringify(call.path), 'cast_to=object', ...(call.body ? [`body=${literal(call.body)}`] : [])],
        ]
      : [name, [...ids, ...named, ...files]];
  const list =
    parts.length < 2 && !parts[0]?.includes('\n')
      ? parts.join('')
      : `\n${parts.map((part) => `    ${part},\n`).join('')}`;
  // The SDK of Anthropic adds the version to the paths.
  const [library, suffix] = isOfAnthropic(call) ? ['Anthropic', '.removesuffix("/v1")'] : ['OpenAI', ''];
  return `import os
from ${library.toLowerCase()} import ${library}

client = ${library}(
    base_url=os.environ["MODELWIRE_BASE_URL"]${suffix},
    api_key=os.environ["MODELWIRE_API_KEY"],
)
result = client.${method}(${list})
${call.isBinary && !isOfAnthropic(call) ? 'result.write_to_file("output")' : 'print(result)'}`;
}

function javascriptSample(call: SampleCall): string {
  const name = sdkMethod(call);
  const { first, params } = argumentsOf(call);
  const fields = call.files.map((file) => `  ${file}: createReadStream("input.txt")`);
  const object = javascriptLiteral(params);
  const withFiles = [...(Object.keys(params).length > 0 ? [object.slice(2, -2)] : []), ...fields].join(',\n');
  const hasParams = Object.keys(params).length > 0 || call.body !== undefined;
  const [method, parts] =
    name === undefined
      ? [
          call.method.toLowerCase(),
          [JSON.stringify(call.path), ...(call.body ? [javascriptLiteral({ body: call.body })] : [])],
        ]
      : [
          name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          [
            ...(first === undefined ? [] : [JSON.stringify(first)]),
            ...(fields.length > 0 ? [`{\n${withFiles}\n}`] : hasParams ? [object] : []),
          ],
        ];
  const [library, suffix, source] = isOfAnthropic(call)
    ? ['Anthropic', '.replace(/\\/v1$/, "")', '@anthropic-ai/sdk']
    : ['OpenAI', '', 'openai'];
  return `${fields.length > 0 ? 'import { createReadStream } from "node:fs";\n' : ''}import ${library} from "${source}";

const client = new ${library}({
  baseURL: process.env.MODELWIRE_BASE_URL${suffix},
  apiKey: process.env.MODELWIRE_API_KEY
});
const result = await client.${method}(${parts.join(', ')});
console.log(${call.isBinary && !isOfAnthropic(call) ? 'await result.arrayBuffer()' : 'result'});`;
}

/** A JSON value as a JavaScript expression: names of fields need no quotes. */
function javascriptLiteral(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:');
}

/** Forms have typed parameters in the Go SDK; other requests are sent as JSON. */
const goForms: Readonly<Record<string, string>> = {
  'files.create': 'client.Files.New(ctx, openai.FileNewParams{File: file, Purpose: openai.FilePurposeUserData})',
  'uploads.parts.create': 'client.Uploads.Parts.New(ctx, "UPLOAD_ID", openai.UploadPartNewParams{Data: file})',
};

function goSample(call: SampleCall): string {
  const form = goForms[call.id];
  const body = call.body ? `json.RawMessage(\`${JSON.stringify(call.body, null, 2)}\`)` : 'nil';
  const verb = `${call.method.slice(0, 1)}${call.method.slice(1).toLowerCase()}`;
  const path = isOfAnthropic(call) ? `v1${call.path}` : call.path.slice(1);
  const isText = call.isBinary || call.id === 'chat.completions.resume' || call.id.startsWith('datasets.');
  const statements = form
    ? `file, err := os.Open("input.txt")
	if err != nil {
		panic(err)
	}
	result, err := ${form}`
    : `var result ${isText ? '[]byte' : 'map[string]any'}
	err := client.${verb}(ctx, "${path}", ${body}, &result)`;
  const [library, alias, version, url] = isOfAnthropic(call)
    ? ['anthropic', 'anthropics/anthropic-sdk-go', '', 'strings.TrimSuffix(os.Getenv("MODELWIRE_BASE_URL"), "/v1")']
    : ['openai', 'openai/openai-go', '/v3', 'os.Getenv("MODELWIRE_BASE_URL")'];
  const standard = [
    'context',
    ...(call.body && !form ? ['encoding/json'] : []),
    'fmt',
    'os',
    ...(isOfAnthropic(call) ? ['strings'] : []),
  ];
  return `package main

import (
${standard.map((name) => `	"${name}"\n`).join('')}
	"github.com/${alias}${version}"
	"github.com/${alias}${version}/option"
)

func main() {
	ctx := context.Background()
	client := ${library}.NewClient(
		option.WithBaseURL(${url}),
		option.WithAPIKey(os.Getenv("MODELWIRE_API_KEY")),
	)
	${statements}
	if err != nil {
		panic(err)
	}
	fmt.Println(${call.isBinary ? 'len(result), "bytes"' : isText ? 'string(result)' : 'result'})
}`;
}
