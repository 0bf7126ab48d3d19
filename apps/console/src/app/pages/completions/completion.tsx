import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ChatCompletionStoredMessage, StoredChatCompletion } from '@modelwire/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { completionQuery, isLoggedRequest, messagesQuery } from '../../api/completions.ts';
import type { CompletionEntry } from '../../api/completions.ts';
import { useNames } from '../../api/names.ts';
import { isPermitted, mayOpen } from '../../api/permissions.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { createDetailPage } from '../../components/detail-page.tsx';
import type { DetailProps } from '../../components/detail-page.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatDuration, formatNumber, formatTime } from '../../components/format.ts';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { Markdown, PlainText } from '../../components/markdown.tsx';
import { NamedId } from '../../components/named-id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useDeletion } from '../../components/use-deletion.ts';
import { useSession } from '../../shell/session-context.ts';
import { formatCost, Status } from './columns.tsx';
import { AddToDataset } from './add-to-dataset.tsx';
import { MetadataEditor } from './metadata-editor.tsx';
import { openInPlayground } from './open-in-playground.ts';
import { RequestDetail } from './request-detail.tsx';
import { requestMessages } from './stored-request.ts';
import { Notice } from '../../components/notice.tsx';

export const Completion: React.FunctionComponent = createDetailPage('completions', completionQuery, EntryDetail);

/** The content of the page, and of the panel beside the log. */
export function EntryDetail({ entry }: DetailProps<CompletionEntry>) {
  return isLoggedRequest(entry) ? <RequestDetail request={entry} /> : <CompletionDetail entry={entry} />;
}

/** A stored completion: messages, parameters, usage, metadata. */
function CompletionDetail({ entry: completion }: DetailProps<StoredChatCompletion>) {
  const session = useSession();
  const { nameOf } = useNames();
  const navigate = useNavigate();
  const { id, project_id: project = session.project } = completion;
  const isEditable = isPermitted(session, 'write') && project === session.project;
  const parameters = completion.request_parameters ?? {};
  const otherParameters = Object.entries(parameters).filter(
    ([name, value]) => !(name in parameterLabels) && value !== null,
  );
  const deletion = useDeletion('completions', completionQuery(id).queryKey, () => api.chat.completions.delete(id));
  const rerun = useMutation({
    mutationFn: (withOther: boolean) => openInPlayground(completion, withOther),
    onSuccess: () => navigate({ to: '/playground' }),
  });
  return (
    <>
      <PageHeader title={<bdi>{titleOf(completion)}</bdi>} subtitle={<RelativeTime seconds={completion.created} />}>
        {mayOpen(session, 'playground') && (
          <>
            <Button disabled={rerun.isPending} onClick={() => rerun.mutate(false)}>
              Run again
            </Button>
            <Button disabled={rerun.isPending} onClick={() => rerun.mutate(true)}>
              Compare models
            </Button>
          </>
        )}
        {isEditable && (
          <>
            <AddToDataset completions={[completion]} />
            <DeleteButton kind="completion" text="It cannot be restored." deletion={deletion} />
          </>
        )}
      </PageHeader>
      {deletion.error !== null && <ErrorNotice title="The completion was not deleted." error={deletion.error} />}
      {rerun.error !== null && (
        <ErrorNotice title="The completion was not opened in the playground." error={rerun.error} />
      )}
      <Measures completion={completion} />
      <Messages completion={completion} />
      {completion.choices.map((choice) => (
        <section className="card" key={choice.index} aria-label={`Choice ${choice.index + 1}`}>
          <div className="section-header">
            <h2>Reply{completion.choices.length > 1 ? ` ${choice.index + 1}` : ''}</h2>
            <Status status={choice.finish_reason} />
          </div>
          <Markdown text={choice.message.content ?? ''} />
          {choice.message.refusal && <Notice tone="warning">Refused: {choice.message.refusal}</Notice>}
          {choice.message.tool_calls?.map((call) => (
            <CodeBlock
              key={call.id}
              label={`Call of ${call.type === 'custom' ? call.custom.name : call.function.name}`}
              code={call.type === 'custom' ? call.custom.input : call.function.arguments}
            />
          ))}
        </section>
      ))}
      <MetadataEditor completion={completion} readOnly={!isEditable} />
      <details className="card">
        <summary>Parameters and IDs</summary>
        <DescriptionList
          entries={[
            ['ID', <NamedId key="id" id={id} />],
            ['Created', formatTime(completion.created)],
            ['Service tier', completion.service_tier ?? '–'],
            ['Temperature', formatNumber(completion.temperature)],
            ['Top P', formatNumber(completion.top_p)],
            ['Seed', completion.seed ?? '–'],
            ['Presence penalty', formatNumber(completion.presence_penalty)],
            ['Frequency penalty', formatNumber(completion.frequency_penalty)],
            ['User', completion.input_user ?? '–'],
            ...Object.entries(parameterLabels).map(
              ([name, label]) => [label, parameterText(parameters[name])] as const,
            ),
            ['Project', <NamedId key="project" id={project} name={nameOf(project)} />],
            ['Request ID', completion.request_id ?? '–'],
            [
              'Key',
              completion.api_key_id ? (
                <NamedId key="key" id={completion.api_key_id} name={nameOf(completion.api_key_id)} />
              ) : (
                '–'
              ),
            ],
            ['Results of reruns', <Reruns key="reruns" id={id} />],
            ['Rerun of', <Source key="source" completion={completion} />],
          ]}
        />
      </details>
      {completion.tools && completion.tools.length > 0 && <JsonSection title="Tools" value={completion.tools} />}
      {completion.tool_choice && <JsonSection title="Tool choice" value={completion.tool_choice} />}
      {completion.response_format && <JsonSection title="Response format" value={completion.response_format} />}
      {otherParameters.length > 0 && (
        <JsonSection title="Other parameters" value={Object.fromEntries(otherParameters)} />
      )}
      <RawJson completion={completion} />
    </>
  );
}

/** Links to the completions that reruns of datasets made from this one. */
function Reruns({ id }: { readonly id: string }) {
  return (
    <Link to="/completions" search={{ metadata: `rerun_of=${id}` }}>
      Show
    </Link>
  );
}

/** Links to the completion whose request was run again. */
function Source({ completion: { metadata } }: { readonly completion: StoredChatCompletion }) {
  const id = metadata?.['rerun_of'];
  if (id === undefined) return '–';
  return (
    <Link to="/completions/$id" params={{ id }}>
      Show
    </Link>
  );
}

/** The first line of the prompt. */
function titleOf({ prompt_excerpt }: StoredChatCompletion): string {
  return prompt_excerpt?.trim().split('\n')[0]?.slice(0, 120) || 'Completion';
}

/** How long the completion took, what it used and what it cost. */
function Measures({ completion }: { readonly completion: StoredChatCompletion }) {
  const { usage, duration_ms, first_token_ms, cost, api_key_id: key } = completion;
  const { nameOf } = useNames();
  const milliseconds = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : formatDuration(value);
  return (
    <DescriptionList
      entries={[
        ['Model', completion.model],
        ['Key', key ? <NamedId key="key" id={key} name={nameOf(key)} /> : '–'],
        ['Duration', milliseconds(duration_ms)],
        ['First token', milliseconds(first_token_ms)],
        ['Cost', formatCost(cost)],
        ['Input tokens', formatNumber(usage?.prompt_tokens)],
        ['Cached tokens', formatNumber(usage?.prompt_tokens_details?.cached_tokens)],
        ['Output tokens', formatNumber(usage?.completion_tokens)],
      ]}
    />
  );
}

/** Labels of the request parameters that are shown with the fields of the completion. Other parameters are shown as JSON. */
const parameterLabels: Readonly<Record<string, string>> = {
  model: 'Requested model',
  max_completion_tokens: 'Maximum tokens',
  stop: 'Stop sequences',
  logprobs: 'Log probabilities',
  reasoning_effort: 'Reasoning effort',
};

function parameterText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(entry)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function JsonSection({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <CodeBlock code={JSON.stringify(value, null, 2)} label="JSON" />
    </section>
  );
}

/** The completion as the API returns it. */
function RawJson({ completion }: { readonly completion: StoredChatCompletion }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {isOpen && <CodeBlock code={JSON.stringify(completion, null, 2)} label="JSON" />}
    </details>
  );
}

/** The messages of the request, loaded in pages of fifty. The replies are shown in other sections. */
function Messages({ completion }: { readonly completion: StoredChatCompletion }) {
  const query = useInfiniteQuery(messagesQuery(completion.id));
  const loaded = query.data?.pages.flatMap((page) => page.data) ?? [];
  const messages = query.hasNextPage ? loaded : requestMessages(completion, loaded);
  return (
    <section className="card" aria-label="Messages">
      <h2>Request</h2>
      <QueryNotice query={query} errorTitle="The messages could not be loaded." />
      <ol className="transcript">
        {messages.map((message) => (
          <li key={message.id} className={`turn ${message.role}`}>
            <h3 className="role">
              {message.role}
              {message.name ? ` (${message.name})` : ''}
            </h3>
            <MessageContent message={message} />
          </li>
        ))}
      </ol>
      <LoadMoreButton entries="messages" query={query} />
    </section>
  );
}

function MessageContent({ message }: { readonly message: ChatCompletionStoredMessage }) {
  const text = message.content ?? '';
  return (
    <>
      {message.content_parts?.length ? null : message.role === 'assistant' ? (
        <Markdown text={text} />
      ) : (
        <PlainText text={text} />
      )}
      {message.content_parts?.map((part, index) =>
        part.type === 'text' ? (
          <PlainText key={index} text={part.text} />
        ) : part.image_url.url.startsWith('data:image/') ? (
          <img key={index} className="attachment" src={part.image_url.url} alt={`Attachment ${index + 1}`} />
        ) : (
          <p key={index}>
            Image: <code>{part.image_url.url}</code>
          </p>
        ),
      )}
      {message.tool_calls?.map((call) => (
        <CodeBlock
          key={call.id}
          label={`Call of ${call.type === 'custom' ? call.custom.name : call.function.name}`}
          code={call.type === 'custom' ? call.custom.input : call.function.arguments}
        />
      ))}
    </>
  );
}
