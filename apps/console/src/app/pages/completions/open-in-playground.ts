import type { ChatCompletionStoredMessage, StoredChatCompletion } from '@modelwire/client';
import { api } from '../../api/client.ts';
import { readableProjects } from '../../api/completions.ts';
import { listModelsOfKind } from '../../api/models.ts';
import { storeHandover } from '../../api/playground-handover.ts';
import { toPlaygroundSetup } from './playground-setup.ts';
import { toMessageParam, buildStoredRequest } from './stored-request.ts';

/** Longer conversations would take minutes to load in pages of a hundred messages. */
const maxMessages = 1_000;

/**
 * Passes the request of a stored completion to the playground, which is opened next: for its model, or side by side with another one if
 * there is one. Rejects if it has more than 1,000 messages.
 */
export async function openInPlayground(completion: StoredChatCompletion, withOther: boolean): Promise<void> {
  const messages: ChatCompletionStoredMessage[] = [];
  for await (const message of api.chat.completions.messages.list(completion.id, {
    ...readableProjects(),
    limit: 100,
  })) {
    messages.push(message);
    if (messages.length > maxMessages)
      throw new Error('The completion has more than 1,000 messages. Rerun it with the API.');
  }
  const isInstruction = ({ role }: ChatCompletionStoredMessage): boolean => role === 'system' || role === 'developer';
  const setup = toPlaygroundSetup(buildStoredRequest(completion, messages));
  const { models } = setup;
  const [other = models[0] ?? ''] = (await listModelsOfKind('chat')).filter((id) => !models.includes(id));
  storeHandover({
    setup: {
      ...setup,
      models: withOther ? [...models, other] : models,
      system: messages
        .filter(isInstruction)
        .map(({ content }) => content ?? '')
        .join('\n\n'),
    },
    messages: messages.filter((message) => !isInstruction(message)).map(toMessageParam),
  });
}
