/** Events of Anthropic's Messages API, as documented. */
export const anthropicEvents = {
  start: {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 1 },
    },
  },
  block: (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block }),
  delta: (index: number, delta: object) => ({ type: 'content_block_delta', index, delta }),
  blockEnd: (index: number) => ({ type: 'content_block_stop', index }),
  text: (index: number, ...pieces: readonly string[]) => [
    anthropicEvents.block(index, { type: 'text', text: '' }),
    ...pieces.map((text) => anthropicEvents.delta(index, { type: 'text_delta', text })),
    anthropicEvents.blockEnd(index),
  ],
  thinking: (index: number, thinking: string, signature: string) => [
    anthropicEvents.block(index, { type: 'thinking', thinking: '', signature: '' }),
    anthropicEvents.delta(index, { type: 'thinking_delta', thinking }),
    anthropicEvents.delta(index, { type: 'signature_delta', signature }),
    anthropicEvents.blockEnd(index),
  ],
  toolUse: (index: number, id: string, name: string, ...json: readonly string[]) => [
    anthropicEvents.block(index, { type: 'tool_use', id, name, input: {} }),
    ...json.map((partial_json) => anthropicEvents.delta(index, { type: 'input_json_delta', partial_json })),
    anthropicEvents.blockEnd(index),
  ],
  end: (stop_reason: string, output_tokens = 7) => [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ],
};
