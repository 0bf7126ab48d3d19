import { isRecord } from '@modelwire/adapter-kit';

/** The purpose of a model. */
export type ModelKind =
  'chat' | 'embedding' | 'rerank' | 'moderation' | 'image' | 'speech' | 'transcription' | 'video' | 'realtime';

/** Detects the purpose of a model in the list of an upstream by the fields of various servers, otherwise by its name. Default: chat. */
export function modelKind(entry: Readonly<Record<string, unknown>>): ModelKind {
  return kindFromFields(entry) ?? (typeof entry['id'] === 'string' ? kindFromName(entry['id']) : undefined) ?? 'chat';
}

/** Names of the kinds in various servers, in lower case without separators. */
const kindsByAlias: ReadonlyMap<string, ModelKind> = new Map([
  ...aliases('chat', 'chat', 'chatcompletion', 'chatcompletions', 'completionchat', 'completion', 'completions', 'llm'),
  ...aliases('chat', 'vlm', 'language', 'code', 'text', 'textgeneration', 'imagetexttotext', 'generate', 'responses'),
  ...aliases('embedding', 'embedding', 'embeddings', 'embed', 'featureextraction', 'sentencesimilarity'),
  ...aliases('embedding', 'embeddingmodel'),
  ...aliases('rerank', 'rerank', 'reranker', 'reranking', 'textranking', 'score'),
  ...aliases('moderation', 'moderation', 'moderations'),
  ...aliases('image', 'image', 'images', 'imagegeneration', 'texttoimage', 'imageedit', 'fluminabasemodel'),
  ...aliases('speech', 'speech', 'audiospeech', 'tts', 'texttospeech'),
  ...aliases('transcription', 'transcription', 'transcriptions', 'transcribe', 'audiotranscription', 'stt', 'asr'),
  ...aliases('transcription', 'automaticspeechrecognition', 'speechtotext'),
  ...aliases('video', 'video', 'videos', 'videogeneration', 'texttovideo', 'imagetovideo'),
  ...aliases('realtime', 'realtime'),
]);

function aliases(kind: ModelKind, ...names: readonly string[]): readonly (readonly [string, ModelKind])[] {
  return names.map((name) => [name, kind]);
}

const kindOfAlias = (value: unknown): ModelKind | undefined =>
  typeof value === 'string' ? kindsByAlias.get(value.toLowerCase().replaceAll(/[^a-z]/g, '')) : undefined;

/**
 * A string: `type` (Together, LM Studio), `model_type` (Xinference), `mode` (LiteLLM), `kind` (Fireworks), `task`, `pipeline_tag` (servers of
 * Hugging Face models). A list: `capabilities` (Mistral, Infinity, llama.cpp), `endpoints` (Cohere), and the output modalities in
 * `architecture` (OpenRouter, llama.cpp). A model that can chat is a chat model, regardless of other capabilities.
 */
function kindFromFields(entry: Readonly<Record<string, unknown>>): ModelKind | undefined {
  for (const field of ['type', 'model_type', 'mode', 'kind', 'task', 'pipeline_tag']) {
    const kind = kindOfAlias(entry[field]);
    if (kind) return kind;
  }
  const { architecture } = entry;
  const outputs = isRecord(architecture) ? architecture['output_modalities'] : undefined;
  // Audio output means speech. Text output is inconclusive: llama.cpp reports it for embedding models, too.
  const modalities = stringsIn(outputs).map((word) => (word === 'audio' ? 'speech' : word));
  const outputNames = modalities.every((word) => word === 'text') ? [] : modalities;
  for (const names of [stringsIn(entry['capabilities']), stringsIn(entry['endpoints']), outputNames]) {
    const kinds = names.map(kindOfAlias).filter((kind) => kind !== undefined);
    if (kinds.length > 0) return kinds.includes('chat') ? 'chat' : kinds[0];
  }
  return undefined;
}

/** The strings of a list, or the keys of an object whose value is true. */
function stringsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((word): word is string => typeof word === 'string');
  return isRecord(value) ? Object.keys(value).filter((name) => value[name] === true) : [];
}

/** Checked in this order: the name of a reranker may contain that of its embedding model. */
const namePatterns: readonly (readonly [ModelKind, RegExp])[] = [
  ['rerank', /rerank|^ms-marco-/],
  ['moderation', /(?:^|[-_.])moderation(?:[-_.]|$)/],
  ['embedding', /(?:^|[-_.])embed(?!ded)/],
  [
    'embedding',
    /^(?:bge|gte|e5|multilingual-e5|all-minilm|all-mpnet|paraphrase|gtr-t5|sentence-t5|instructor|voyage)(?:[-_.\d]|$)/,
  ],
  ['transcription', /(?:^|[-_.])(?:whisper|transcribe|transcription|parakeet|moonshine|asr|stt)(?:[-_.\d]|$)/],
  ['speech', /(?:^|[-_.])(?:tts|text-to-speech)(?:[-_.\d]|$)/],
  ['speech', /^(?:kokoro|piper|bark|xtts|orpheus|chatterbox|speecht5|parler)(?:[-_.\d]|$)/],
  ['realtime', /(?:^|[-_.])realtime(?:[-_.]|$)/],
  [
    'image',
    /^(?:dall-e|gpt-image|chatgpt-image|imagen|flux|sdxl|sd3|sd-turbo|stable-diffusion|stable-image|qwen-image)(?:[-_.\d]|$)/,
  ],
  ['image', /^(?:kandinsky|hidream|pixart|cogview|recraft|ideogram|seedream|grok-\d+-image)(?:[-_.\d]|$)/],
  [
    'video',
    /^(?:sora|veo|wan\d|hunyuan-?video|cogvideo|ltx-video|stable-video|mochi-1|seedance|storyboard)(?:[-_.x\d]|$)/,
  ],
  ['video', /[-_](?:t2v|i2v)(?:[-_.]|$)/],
];

/** Of names such as `org/name:tag` and of file paths, only the last segment without the tag counts. */
function kindFromName(id: string): ModelKind | undefined {
  const name = (id.toLowerCase().split('/').at(-1) ?? '').split(':', 1)[0] ?? '';
  return namePatterns.find(([, pattern]) => pattern.test(name))?.[0];
}
