import { expect, test } from 'vitest';
import { modelKind } from './model-kind.ts';
import type { ModelKind } from './model-kind.ts';

const names: Readonly<Record<ModelKind, readonly string[]>> = {
  chat: [
    ...['gpt-4o', 'gpt-4o-audio-preview', 'llama3.2:3b', 'meta-llama/Llama-3.3-70B-Instruct', 'qwen2.5-coder:latest'],
    ...[
      '/models/SmolLM2-135M-Instruct.Q4_1.gguf',
      'models/gemini-2.5-flash',
      'gemini-2.5-flash-image',
      'claude-sonnet-4-5',
    ],
    ...[
      'llama-guard-4-12b',
      'mistral-small',
      'voxtral-small-24b',
      'embedded-systems-7b',
      'simulator',
      'o3',
      'imaginary-7b',
    ],
    ...['barkeeper-7b', 'veolia', 'sorani-chat'],
  ],
  embedding: [
    ...['text-embedding-3-small', 'nomic-embed-text:latest', 'BAAI/bge-m3', 'intfloat/e5-mistral-7b-instruct'],
    ...[
      'mxbai-embed-large',
      'all-minilm:33m',
      'embeddinggemma',
      'Alibaba-NLP/gte-Qwen2-7B-instruct',
      'nvidia/NV-Embed-v2',
    ],
    ...['text-embedding-nomic-embed-text-v1.5', 'simulator-embedding', 'voyage-3-lite', 'multilingual-e5-large'],
  ],
  rerank: ['BAAI/bge-reranker-v2-m3', 'rerank-v3.5', 'jina-reranker-v2', 'cross-encoder/ms-marco-MiniLM-L6-v2'],
  moderation: ['omni-moderation-latest', 'text-moderation-stable', 'mistral-moderation-latest'],
  image: [
    'dall-e-3',
    'gpt-image-1',
    'black-forest-labs/FLUX.1-schnell',
    'stable-diffusion-3.5-large',
    'imagen-4.0-generate',
  ],
  speech: ['tts-1-hd', 'gpt-4o-mini-tts', 'hexgrad/Kokoro-82M', 'gemini-2.5-flash-preview-tts'],
  transcription: ['whisper-1', 'Systran/faster-whisper-large-v3', 'gpt-4o-transcribe', 'nvidia/parakeet-tdt-0.6b-v2'],
  video: ['sora-2', 'veo-3.1-generate', 'Wan-AI/Wan2.1-T2V-14B', 'THUDM/CogVideoX-5b', 'storyboard'],
  realtime: ['gpt-4o-realtime-preview', 'gpt-realtime'],
};

for (const [kind, ids] of Object.entries(names)) {
  test.each(ids)(`detects %s as ${kind} by its name`, (id) => expect(modelKind({ id })).toBe(kind));
}

test.each<[string, Readonly<Record<string, unknown>>, ModelKind]>([
  ['type', { type: 'embeddings' }, 'embedding'],
  ['type', { type: 'vlm' }, 'chat'],
  ['type', { type: 'rerank' }, 'rerank'],
  ['type of no kind', { type: 'model' }, 'chat'],
  ['type with the name of a method of objects', { type: 'constructor' }, 'chat'],
  ['model_type', { model_type: 'LLM' }, 'chat'],
  ['mode', { mode: 'image_generation' }, 'image'],
  ['mode', { mode: 'audio_transcription' }, 'transcription'],
  ['kind', { kind: 'EMBEDDING_MODEL' }, 'embedding'],
  ['task', { task: 'text-to-speech' }, 'speech'],
  ['pipeline_tag', { pipeline_tag: 'feature-extraction' }, 'embedding'],
  ['capabilities as names', { capabilities: ['embed', 'rerank'] }, 'embedding'],
  ['capabilities as names with chat', { capabilities: ['embedding', 'completion'] }, 'chat'],
  ['capabilities as flags', { capabilities: { completion_chat: false, moderation: true } }, 'moderation'],
  ['capabilities as flags with chat', { capabilities: { completion_chat: true, vision: false } }, 'chat'],
  ['endpoints', { endpoints: ['rerank'] }, 'rerank'],
  ['output modalities', { architecture: { output_modalities: ['embeddings'] } }, 'embedding'],
  ['output modalities with text', { architecture: { output_modalities: ['image', 'text'] } }, 'chat'],
  [
    'output modalities of text alone, and its name',
    { id: 'bge-m3', architecture: { output_modalities: ['text'] } },
    'embedding',
  ],
  ['output modalities of sound', { architecture: { output_modalities: ['audio'] } }, 'speech'],
])('detects the kind of a model by its fields: %s', (_, fields, kind) => {
  expect(modelKind({ id: 'some-model', ...fields })).toBe(kind);
});

test('prefers the fields to the name', () => {
  expect(modelKind({ id: 'text-embedding-chat', type: 'llm' })).toBe('chat');
  expect(modelKind({ id: 'my-chat', type: 'embedding' })).toBe('embedding');
});
