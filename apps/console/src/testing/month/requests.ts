import type { ChatCompletionMessageParam } from '@modelwire/client';
import type { Team } from './administration.ts';
import type { TimedEvent } from './timed-event.ts';
import type { ModelServers } from './model-servers.ts';
import type { PlannedRequest } from './traffic.ts';

/** The planned requests, which the applications send one after the other. */
export function sendRequests(
  planned: readonly PlannedRequest[],
  team: Team,
  models: ModelServers,
  onStored: (id: string) => void,
): readonly TimedEvent[] {
  return planned.map((request) => ({ agoMs: request.agoMs, run: () => send(request, team, models, onStored) }));
}

async function send(
  { application, key, exchange, outcome }: PlannedRequest,
  team: Team,
  models: ModelServers,
  onStored: (id: string) => void,
): Promise<void> {
  const { project, model, system, tool, metadata } = application;
  const client = team.clientOf(project, key);
  const complete = async (messages: readonly ChatCompletionMessageParam[]): Promise<void> => {
    const stream = await client.chat.completions.create({
      // A name with a typo.
      model: outcome === 'unknown_model' ? model.replace('3', '2') : model,
      messages: [{ role: 'system', content: system }, ...messages],
      stream: true,
      ...(metadata && { store: true, metadata }),
      ...(tool && { tools: [toolOf(tool)] }),
    });
    for await (const { id, choices } of stream) {
      models.onFirstToken();
      if (metadata && choices[0]?.finish_reason === 'stop') onStored(id);
    }
  };
  models.expect(exchange, tool?.name);
  models.failWith(failureOf(outcome));
  const user = { role: 'user', content: exchange.prompt } as const;
  try {
    await complete([user]);
    if (!tool || !exchange.call) return;
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: tool.name, arguments: exchange.call.arguments },
    } as const;
    await complete([
      user,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: exchange.call.result },
    ]);
  } catch (error) {
    if (outcome === 'reply') throw error;
  } finally {
    models.failWith(undefined);
  }
}

const toolOf = ({ name, description, argument }: { name: string; description: string; argument: string }) =>
  ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
    },
  }) as const;

function failureOf(outcome: PlannedRequest['outcome']) {
  if (outcome === 'upstream_error')
    return { status: 500, message: 'CUDA error: an illegal memory access was encountered' };
  if (outcome !== 'too_long') return undefined;
  const message =
    "This model's maximum context length is 32768 tokens. However, your messages resulted in 41207 tokens.";
  return { status: 400, message };
}
