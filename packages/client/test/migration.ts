import { createReadStream } from 'node:fs';
import OpenAI from '@modelwire/client';

/** A program that calls the nine endpoints and related ones. Returns the results without IDs and times. */
export async function program(options: { readonly baseURL: string; readonly apiKey: string }): Promise<unknown[]> {
  const client = new OpenAI(options);
  const seen: unknown[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  // Chat: complete, streamed, stored.
  const completion = await client.chat.completions.create({
    model: 'simulator',
    messages: [{ role: 'user', content: 'Tell me about rivers.' }],
    temperature: 0,
    store: true,
    metadata: { about: 'rivers' },
  });
  seen.push(completion.choices[0]?.message.content, completion.usage?.total_tokens);
  const stream = await client.chat.completions.create(
    { model: 'simulator', messages: [{ role: 'user', content: 'And lakes?' }], temperature: 0, stream: true },
    { headers: { 'x-program': 'migration' }, maxRetries: 1 },
  );
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  seen.push(text);
  await client.chat.completions.update(completion.id, { metadata: { about: 'water' } });
  for await (const stored of client.chat.completions.list({ metadata: { about: 'water' }, limit: 1 })) {
    seen.push(stored.metadata);
  }
  const { data: messages } = await client.chat.completions.messages.list(completion.id);
  seen.push(messages.map(({ role, content }) => [role, content]));
  seen.push((await client.chat.completions.retrieve(completion.id)).model);
  seen.push((await client.chat.completions.delete(completion.id)).deleted);

  // Moderation.
  const { results } = await client.moderations.create({ input: ['a calm day', 'I will kill myself'] });
  seen.push(results.map(({ flagged }) => flagged));

  // Files and uploads.
  const body = { model: 'simulator', messages: [{ role: 'user', content: 'Hello' }], temperature: 0 };
  const line = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body };
  const lines = new File([JSON.stringify(line)], 'lines.jsonl');
  const file = await client.files.create({ file: lines, purpose: 'batch' });
  seen.push([file.filename, file.bytes, (await client.files.retrieve(file.id)).purpose]);
  const read = await client.files.create({ file: createReadStream(import.meta.filename), purpose: 'evals' });
  seen.push(read.filename.startsWith('migration'), read.bytes > 1000);
  const upload = await client.uploads.create({
    filename: 'notes.txt',
    bytes: 10,
    mime_type: 'text/plain',
    purpose: 'user_data',
  });
  const first = await client.uploads.parts.create(upload.id, { data: new File(['hello'], 'part') });
  const second = await client.uploads.parts.create(upload.id, { data: new File(['world'], 'part') });
  const { file: whole } = await client.uploads.complete(upload.id, { part_ids: [first.id, second.id] });
  seen.push(await (await client.files.content(whole?.id ?? '')).text());
  const cancelledUpload = await client.uploads.create({
    filename: 'a',
    bytes: 1,
    mime_type: 'a/b',
    purpose: 'user_data',
  });
  seen.push((await client.uploads.cancel(cancelledUpload.id)).status);
  const names: string[] = [];
  for await (const { filename } of client.files.list({ limit: 1, purpose: 'user_data' })) names.push(filename);
  seen.push(names);

  // Responses and their conversations, embeddings, and legacy completions.
  const responseParams = { model: 'simulator', input: 'Hello', temperature: 0 } as const;
  const conversation = await client.conversations.create({
    items: [{ type: 'message', role: 'user', content: 'Be brief.' }],
  });
  const answer = await client.responses.create({ ...responseParams, conversation: conversation.id });
  seen.push(answer.output_text, (await client.responses.retrieve(answer.id)).status);
  for await (const event of await client.responses.create({ ...responseParams, stream: true })) {
    if (event.type === 'response.completed') seen.push(event.response.output.length, event.response.usage);
  }
  for await (const item of client.responses.inputItems.list(answer.id)) seen.push(item.type);
  seen.push((await client.responses.inputTokens.count({ model: 'simulator', input: 'Hello' })).input_tokens);
  const types: (string | undefined)[] = [];
  for await (const item of client.conversations.items.list(conversation.id, { limit: 1 })) types.push(item.type);
  seen.push(types, (await client.conversations.delete(conversation.id)).deleted);
  const vectors = await client.embeddings.create({ model: 'simulator-embedding', input: ['a boat', 'a storm'] });
  seen.push(vectors.data[1]?.index, vectors.data[1]?.embedding.length, vectors.usage);
  const legacy = await client.completions.create({ model: 'simulator', prompt: 'Hello', temperature: 0 });
  seen.push(legacy.choices[0]?.text);

  // Batches.
  const params = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  let batch = await client.batches.create(params);
  while (batch.status !== 'completed') {
    await pause();
    batch = await client.batches.retrieve(batch.id);
  }
  seen.push(batch.request_counts);
  const output: unknown = JSON.parse(await (await client.files.content(batch.output_file_id ?? '')).text());
  seen.push(typeof output);
  const cancelled = await client.batches.cancel((await client.batches.create(params)).id);
  seen.push(cancelled.object, (await client.batches.list({ limit: 2 })).data.length);
  seen.push((await client.files.delete(file.id)).deleted);

  // Videos.
  let video = await client.videos.create({ model: 'titles', prompt: 'a boat', seconds: '4', size: '1280x720' });
  while (video.status !== 'completed') {
    await pause();
    video = await client.videos.retrieve(video.id);
  }
  let remix = await client.videos.remix(video.id, { prompt: 'a storm' });
  while (remix.status !== 'completed') {
    await pause();
    remix = await client.videos.retrieve(remix.id);
  }
  seen.push(await (await client.videos.downloadContent(remix.id)).text());
  for await (const { prompt } of client.videos.list({ order: 'asc' })) seen.push(prompt);
  for (const { id } of [remix, video]) seen.push((await client.videos.delete(id)).deleted);

  // Models, response metadata and errors.
  for await (const { id } of client.models.list()) seen.push(id);
  const { data: model, response } = await client.models.retrieve('simulator').withResponse();
  seen.push(model.id, response.status, response.headers.get('x-request-id') !== null);
  try {
    await client.models.retrieve('none');
  } catch (error) {
    const { status, code, param } = error as { status?: number; code?: string; param?: string };
    seen.push(error instanceof Error, status, code, param);
  }
  return seen;
}
