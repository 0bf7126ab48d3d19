import type OpenAI from 'openai';

type Message = OpenAI.ChatCompletionMessageParam;

export interface Assistant {
  /** Replies to a customer: rejects flagged messages, looks up orders, and shows the reply while it streams. */
  answer(
    question: string,
    show: (text: string) => void,
  ): Promise<{ readonly text: string; readonly looked: readonly string[] }>;
  /** Classifies a letter. */
  sort(letter: string): Promise<{ readonly topic: string; readonly urgent: boolean }>;
}

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'find_order',
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    },
  },
];

/** A small application, which the examples test. It only knows the URL of the service. */
export function createAssistant(client: OpenAI, findOrder: (number: string) => string): Assistant {
  async function turn(messages: Message[], show: (text: string) => void) {
    const stream = client.chat.completions.stream({ model: 'gpt-4o', messages, tools });
    stream.on('content', show);
    return (await stream.finalChatCompletion()).choices[0]?.message;
  }
  return {
    async answer(question, show) {
      const { results } = await client.moderations.create({ input: question });
      if (results.some(({ flagged }) => flagged)) return { text: 'We do not answer that.', looked: [] };
      const messages: Message[] = [
        { role: 'system', content: 'You help customers of a shop.' },
        { role: 'user', content: question },
      ];
      const looked: string[] = [];
      for (let round = 0; round < 5; round++) {
        const message = await turn(messages, show);
        if (message?.tool_calls === undefined || message.tool_calls.length === 0) {
          return { text: message?.content ?? '', looked };
        }
        // The helper of the SDK adds fields to messages that the service rejects.
        messages.push({ role: 'assistant', tool_calls: message.tool_calls });
        for (const call of message.tool_calls) {
          if (call.type !== 'function') continue;
          const { number } = JSON.parse(call.function.arguments) as { readonly number: string };
          looked.push(number);
          messages.push({ role: 'tool', tool_call_id: call.id, content: findOrder(number) });
        }
      }
      throw new Error('the model goes on looking');
    },
    async sort(letter) {
      const { choices } = await client.chat.completions.create({
        model: 'gpt-4o-mini',
        messages: [
          { role: 'system', content: 'Answer as JSON: the topic of the letter, and whether it is urgent.' },
          { role: 'user', content: letter },
        ],
        response_format: { type: 'json_object' },
      });
      return JSON.parse(choices[0]?.message.content ?? '') as { topic: string; urgent: boolean };
    },
  };
}
