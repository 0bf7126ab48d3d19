import type { ErrorFields } from './error-body.ts';

/** Error codes and types of servers for a prompt that is longer than the context of the model. */
const errorCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded', // OpenAI, Azure, Groq, llama-cpp-python, LMDeploy
  'context_window_exceeded',
  'contextwindowexceedederror', // LiteLLM
  'exceed_context_size_error', // llama.cpp
  'model_context_window_exceeded',
]);

/** Statuses of such an error: TGI sends 422, some servers 413, and servers that detect it during generation 500. */
const errorStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/** Messages of servers without a code for it. */
const messagePatterns: readonly RegExp[] = [
  // vLLM, SGLang, OpenAI, DeepSeek, OpenRouter, Fireworks; Mistral writes "32768 maximum context length".
  /\bmaximum (?:allowed )?(?:context|prompt|model|input) length\b/i,
  // llama.cpp, llama-cpp-python, LM Studio.
  /\bexceeds? (?:the )?(?:available |model'?s? |maximum |max )*context (?:size|window|length|limit)/i,
  /\bcontext (?:size|window|length|limit)s? (?:has been |was |is |of the model )*exceeded/i,
  /\bcontext (?:the )?overflows?\b/i,
  /\bgreater than the context (?:length|size)/i,
  // SGLang: "The input (5000 tokens) is longer than the model's context length (4096 tokens)."
  /\blonger than the (?:model'?s |maximum )*(?:context|model) length/i,
  // llama.cpp, embeddings: "input (1800 tokens) is too large to process. increase the physical batch size (current batch size: 512)".
  /\binput\b.{0,40}\bis too large to process\b/i,
  // Ollama.
  /\bprompt too long; exceeded max context length\b/i,
  // Text Generation Inference: "`inputs` must have less than 1024 tokens", "`inputs` tokens + `max_new_tokens` must be <= 2048".
  /`?inputs`? (?:must have less than \d+ tokens|tokens \+ `?max_(?:new_)?tokens`? must be)/i,
  // Anthropic, Bedrock.
  /\bprompt is too long\b/i,
  /\bprompt too long\b/i,
  /\binput is too long for (?:the )?requested model\b/i,
  /\binput length and `?max_tokens`? exceed context limit\b/i,
  // Gemini.
  /\binput token count\b.{0,40}\bexceeds the maximum number of tokens\b/i,
  // Cohere.
  /\btoo many tokens\b.{0,60}\bprompt\b/i,
  // Groq.
  /\breduce the length of the messages\b/i,
];

/** Whether an error of an upstream says that the prompt does not fit into the context of the model. */
export function isContextOverflow(status: number, { code, type, message }: ErrorFields): boolean {
  if (!errorStatuses.has(status)) return false;
  if ([code, type].some((name) => name !== undefined && errorCodes.has(name.toLowerCase()))) return true;
  return message !== undefined && messagePatterns.some((pattern) => pattern.test(message));
}
