import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import type { ToolChoiceForm } from '@modelwire/ports';

/** The tools and the tool choice that the engine receives. */
export interface RestrictedTools {
  readonly tools: readonly ChatCompletionTool[];
  readonly tool_choice: ToolChoice;
  /** Names of the tools of which one must be called, if the server has to enforce it because the engine does not support the choice. */
  readonly requiredNames: readonly string[] | undefined;
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
  const restrictedTo = (
    tool_choice: ToolChoice,
    sentTools = tools,
    requiredNames?: readonly string[],
  ): RestrictedTools => ({
    tools: sentTools,
    tool_choice,
    requiredNames,
  });
  if (choice === 'auto') return restrictedTo(choice);
  if (forms.includes(typeof choice === 'string' ? choice : choice.type)) return restrictedTo(choice);
  if (choice === 'none') return restrictedTo('none', []);
  if (choice === 'required') return restrictedTo('auto', tools, tools.map(nameOf));
  const named = choice.type === 'allowed_tools' ? choice.allowed_tools.tools : [choice];
  const allowed = tools.filter((tool) =>
    named.some((reference) => reference.type === tool.type && nameOf(reference) === nameOf(tool)),
  );
  return restrictTools(allowed, choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'required', forms);
}

type NamedTool =
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } };

function nameOf(tool: NamedTool): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}
