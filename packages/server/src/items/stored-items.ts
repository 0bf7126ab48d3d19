import type { CreateId } from '../ids.ts';
import type { ResponseInputItem, ResponseItem, ResponseItemReference } from '@modelwire/schema/types';

/** Ids that are longer are replaced: they are keys of an index. */
const maxIdLength = 128;
/** URLs cannot contain these IDs: dot segments would be resolved. */
const dotSegment = /^\.{1,2}$/;

/**
 * The items of a request as they are stored and returned: each with an ID that is unique in the list, text as content parts. `item_reference`
 * items must be resolved first (`storedInput`).
 */
export function toStoredItems(
  input: string | readonly Exclude<ResponseInputItem, ResponseItemReference>[],
  createId: CreateId,
): readonly ResponseItem[] {
  const ids = new Set<string>();
  const items = typeof input === 'string' ? [{ role: 'user', content: input } as const] : input;
  return items.map((item) => {
    const { id } = item;
    const usable = id !== undefined && id !== '' && id.length <= maxIdLength && !dotSegment.test(id) && !ids.has(id);
    const stored = toStoredItem(item, usable ? id : createId(prefixes[item.type ?? 'message']));
    ids.add(stored.id);
    return stored;
  });
}

const prefixes = {
  message: 'msg_',
  function_call: 'fc_',
  function_call_output: 'fco_',
  custom_tool_call: 'ct_',
  custom_tool_call_output: 'cto_',
  reasoning: 'rs_',
  web_search_call: 'ws_',
  compaction: 'cmp_',
  additional_tools: 'at_',
  file_search_call: 'fs_',
  computer_call: 'cm_',
  computer_call_output: 'cmo_',
  code_interpreter_call: 'ci_',
  image_generation_call: 'ig_',
  mcp_list_tools: 'mcpl_',
  mcp_approval_request: 'mcpr_',
  mcp_approval_response: 'mcpa_',
  mcp_call: 'mcp_',
  local_shell_call: 'lsh_',
  local_shell_call_output: 'lsho_',
  shell_call: 'sh_',
  shell_call_output: 'sho_',
  apply_patch_call: 'apc_',
  apply_patch_call_output: 'apco_',
  tool_search_call: 'tsc_',
  tool_search_output: 'tso_',
  program: 'prog_',
  program_output: 'prgo_',
  configuration_update: 'cfg_',
  compaction_trigger: 'cmpt_',
} as const;

function toStoredItem(item: Exclude<ResponseInputItem, ResponseItemReference>, id: string): ResponseItem {
  switch (item.type) {
    case undefined:
    case 'message': {
      const { content, status = 'completed' } = item;
      if (item.role === 'assistant') {
        const parts =
          typeof content === 'string'
            ? [{ type: 'output_text', text: content, annotations: [] } as const]
            : item.content;
        return { ...item, type: 'message', id, status, content: parts };
      }
      const parts = typeof content === 'string' ? [{ type: 'input_text', text: content } as const] : item.content;
      return { ...item, type: 'message', id, status, content: parts };
    }
    case 'function_call':
    case 'function_call_output':
    case 'custom_tool_call':
    case 'custom_tool_call_output':
    case 'reasoning':
    case 'web_search_call':
      return { ...item, id, status: item.status ?? 'completed' };
    default:
      return { ...item, id };
  }
}
