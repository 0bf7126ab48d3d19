import * as core from '@modelwire/core';
import type { CompletionUsage } from '@modelwire/schema/types';

/** The usage of two replies together, including their prompts. Fields that upstreams add are those of the second. */
export function addUsage(before: CompletionUsage | undefined, usage: CompletionUsage): CompletionUsage {
  return before ? { ...usage, ...core.addUsage(before, usage) } : usage;
}
