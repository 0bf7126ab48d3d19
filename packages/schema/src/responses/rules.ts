import type { Path } from '../parsing/path.ts';
import { problem } from '../parsing/problem.ts';
import type { Problem } from '../types/parts.ts';
import type { ResponseInputContent } from '../types/requests.ts';
import type { ResponseInputItem } from '../types/requests.ts';
import type { ResponseCreateParamsBase } from '../types/requests.ts';

/** The first rule between fields that a well-formed request breaks. */
export function firstBrokenResponseRule(request: ResponseCreateParamsBase): Problem | undefined {
  const { input, previous_response_id, conversation } = request;
  if (previous_response_id !== undefined && conversation !== undefined) {
    return problem(
      'invalid_value',
      ['previous_response_id'],
      "'previous_response_id' and 'conversation' cannot both be given. Give only one of them.",
    );
  }
  if (input === undefined && previous_response_id === undefined && conversation === undefined) {
    return problem(
      'missing_required_parameter',
      ['input'],
      "Missing required parameter: 'input'. It can only be omitted with 'previous_response_id' or 'conversation'.",
    );
  }
  if (input === undefined || typeof input === 'string') return undefined;
  for (const [index, item] of input.entries()) {
    const parts = partsOf(item);
    if (!parts || typeof parts.content === 'string') continue;
    for (const [position, part] of parts.content.entries()) {
      const found = sourceProblem(part, ['input', index, parts.field, position]);
      if (found) return found;
    }
  }
  return undefined;
}

interface Parts {
  readonly field: string;
  readonly content: string | readonly ResponseInputContent[];
}

function partsOf(item: ResponseInputItem): Parts | undefined {
  switch (item.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { field: 'output', content: item.output };
    case undefined:
    case 'message':
      return item.role === 'assistant' ? undefined : { field: 'content', content: item.content };
    default:
      return undefined;
  }
}

/** An image or a file has exactly one source. */
function sourceProblem(part: ResponseInputContent, path: Path): Problem | undefined {
  if (part.type === 'input_text') return undefined;
  const sources: Readonly<Record<string, string | undefined>> =
    part.type === 'input_image'
      ? { image_url: part.image_url, file_id: part.file_id }
      : { file_data: part.file_data, file_id: part.file_id, file_url: part.file_url };
  const presentSources = Object.keys(sources).filter((name) => sources[name] !== undefined);
  if (presentSources.length === 1) return undefined;
  const names = Object.keys(sources)
    .map((name) => `'${name}'`)
    .join(', ');
  return problem(
    presentSources.length === 0 ? 'missing_required_parameter' : 'invalid_value',
    path,
    `A part of type '${part.type}' needs exactly one of ${names}, but ${presentSources.length} were given.`,
  );
}
