import { renameFields } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';

/** Returns the error of a chat request with the path of the client's field. Errors that name no field are returned unchanged. */
export type TranslateError = (error: RequestError) => RequestError;

const chatNames: readonly (readonly [RegExp, string])[] = [
  [/^max_completion_tokens\b/, 'max_output_tokens'],
  [/^reasoning_effort\b/, 'reasoning.effort'],
  [/^verbosity\b/, 'text.verbosity'],
  [/^response_format\.json_schema\b/, 'text.format'],
  [/^response_format\b/, 'text.format'],
  [/^(?:top_logprobs|logprobs)\b/, 'include'],
  [/^web_search_options\b/, 'tools'],
  [/^tool_choice\.(?:function|custom|allowed_tools)\b/, 'tool_choice'],
  [/^messages\b(?!\[)/, 'input'],
];

/** @param messagePaths Where each chat message comes from. @param toolPaths Where each chat tool comes from. */
export function errorTranslator(messagePaths: readonly string[], toolPaths: readonly string[]): TranslateError {
  function translate(path: string): string {
    const message = /^messages\[(\d+)\](.*)$/.exec(path);
    if (message) {
      const [, index, rest = ''] = message;
      const itemPath = messagePaths[Number(index)] ?? 'input';
      return itemPath === 'instructions' ? itemPath : itemPath + partPath(rest);
    }
    const tool = /^tools\[(\d+)\](.*)$/.exec(path);
    if (tool) {
      const [, index, rest = ''] = tool;
      return (toolPaths[Number(index)] ?? 'tools') + rest.replace(/\.(?:function|custom|grammar)\b/g, '');
    }
    for (const [pattern, name] of chatNames) if (pattern.test(path)) return path.replace(pattern, name);
    return path;
  }
  return (error) => renameFields(error, translate);
}

/** Parts of messages have their fields one level higher than in chat, and calls are separate items. */
function partPath(rest: string): string {
  return rest
    .replace('.image_url.url', '.image_url')
    .replace('.image_url.file_id', '.file_id')
    .replace(/(\.content\[\d+\])\.file\b/, '$1')
    .replace(/\.tool_calls\[\d+\](?:\.id)?.*/, '');
}
