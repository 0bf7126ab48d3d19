import { messageBlockTypes } from '@modelwire/schema/internal';
import type { MessageOtherBlockParam } from '@modelwire/schema/types';

interface TypedBlock {
  readonly type: string;
}

/** Whether the block is of a type that this server knows. */
export function isKnownBlock<Block extends TypedBlock>(block: Block | MessageOtherBlockParam): block is Block {
  return messageBlockTypes.user.has(block.type) || messageBlockTypes.assistant.has(block.type);
}
