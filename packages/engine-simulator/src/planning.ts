import type { ChatRequest, EngineContext } from '@modelwire/server';
import type { Grammars } from './grammar/grammars.ts';
import type { PlannedPart } from './parts.ts';
import { planReply } from './replies/plan.ts';
import { heldFormat, structuredReply } from './replies/structured.ts';

/** Awaited between two grammars, where it gives something to await. */
type Breathe = () => Promise<void> | undefined;

/** What a reply consists of: the same for each choice. Throws a 400 for grammars that cannot be enforced. */
export async function planParts(
  request: ChatRequest,
  _context: EngineContext,
  grammars: Grammars,
  breathe: Breathe,
): Promise<readonly PlannedPart[]> {
  const format = heldFormat(request, grammars);
  await breathe();
  return [format ? structuredReply(request, format, grammars) : { kind: 'text', segments: planReply(request) }];
}
