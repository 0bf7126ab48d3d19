import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import type { ToolChoiceForm } from '@modelwire/ports';

/** The tools and the tool choice that the engine receives. */
export interface RestrictedTools {
  readonly tools: readonly ChatCompletionTool[];
  readonly tool_choice: ToolChoice;
  /** Names of the tools of which one must be called, if the engine does not support that choice: the server enforces it. */
  readonly toCall: readonly string[] | undefined;
}

/**
 * Expresses a tool choice for an engine that supports only some of its forms (API: `tool_choice`): tools that must not be called are
 * not sent. Without tools, the choice is `none`.
 */
export function restrictTools(
  tools: readonly ChatCompletionTool[],
  choice: ToolChoice,
  forms: readonly ToolChoiceForm[],
): RestrictedTools {
  const as = (tool_choice: ToolChoice, of = tools, toCall?: readonly string[]): RestrictedTools => ({
    tools: of,
    tool_choice,
    toCall,
  });
  if (choice === 'auto') return as(choice);
  if (forms.includes(typeof choice === 'string' ? choice : choice.type)) return as(choice);
  if (choice === 'none') return as('none', []);
  if (choice === 'required') return as('auto', tools, tools.map(nameOf));
  const named = choice.type === 'allowed_tools' ? choice.allowed_tools.tools : [choice];
  const left = tools.filter((tool) => named.some((one) => one.type === tool.type && nameOf(one) === nameOf(tool)));
  return restrictTools(left, choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'required', forms);
}

type Named =
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } };

function nameOf(tool: Named): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}
