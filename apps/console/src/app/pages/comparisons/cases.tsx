import { CloseButton, UnstyledButton } from '@mantine/core';
import type { DatasetComparison } from '@modelwire/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { casesQuery } from '../../api/comparison-cases.ts';
import type { CaseError, ComparedCase, ComparedReply } from '../../api/compared-case.ts';
import { twoLineHeight } from '../../components/columns.ts';
import type { Column } from '../../components/columns.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { formatDuration, formatMoney, formatNumber } from '../../components/format.ts';
import { Markdown, PlainText } from '../../components/markdown.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Tag } from '../../components/tag.tsx';
import type { Tone } from '../../components/tag.tsx';
import { useRowKeys } from '../../components/use-row-keys.ts';
import { scorerLabel } from './scorer-labels.ts';

interface Props {
  readonly comparison: DatasetComparison;
  readonly fileId: string;
}

const differences: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  told_apart: { label: 'told apart', tone: 'warning' },
  different: { label: 'different', tone: 'neutral' },
  equal: { label: 'equal', tone: 'good' },
};

/** The cases, those that a scorer tells apart first. One of them is open beside the table. */
export function Cases({ comparison, fileId }: Props) {
  const { counts, scorers } = comparison;
  const query = useInfiniteQuery(casesQuery(fileId));
  const cases = query.data?.pages.flatMap((page) => page.data) ?? [];
  const [openId, setOpenId] = useState('');
  const open = cases.find(({ id }) => id === openId);
  useRowKeys(
    cases.map(({ id }) => id),
    openId,
    setOpenId,
  );
  const columns: readonly Column<ComparedCase>[] = [
    {
      header: 'Replies of baseline and candidate',
      width: 260,
      grows: true,
      cell: ({ id, baseline, candidate }) => (
        <UnstyledButton className="two-lines" onClick={() => setOpenId(id)}>
          <bdi className="note">{excerptOf(baseline)}</bdi>
          <bdi>{excerptOf(candidate)}</bdi>
        </UnstyledButton>
      ),
    },
    { header: 'Case', width: 110, cell: ({ difference }) => <Difference name={difference} /> },
    ...scorers.map(({ type }, index): Column<ComparedCase> => ({
      header: scorers.length > 1 ? `${index + 1}. ${scorerLabel(type)}` : scorerLabel(type),
      width: 130,
      numeric: true,
      priority: 2,
      cell: ({ scores }) => scoreText(scores[index]),
    })),
    {
      header: 'Duration',
      width: 150,
      numeric: true,
      priority: 3,
      cell: ({ baseline, candidate }) => `${durationOf(baseline)} → ${durationOf(candidate)}`,
    },
  ];
  return (
    <section className="sections" aria-label="Cases">
      <div className="section-header">
        <h2>Cases</h2>
        <p className="note">
          {formatNumber(counts.told_apart)} told apart by a scorer, {formatNumber(counts.different)} with different
          texts, {formatNumber(counts.equal)} equal
        </p>
      </div>
      <div className={open === undefined ? undefined : 'with-panel'}>
        <PagedTable
          label="Cases of the comparison"
          columns={columns}
          query={query}
          rowHeight={twoLineHeight}
          currentKey={openId}
          onOpen={({ id }) => setOpenId(id)}
          empty={<p className="note">The dataset has no requests.</p>}
        />
        {open !== undefined && (
          <CasePanel key={open.id} entry={open} comparison={comparison} onClose={() => setOpenId('')} />
        )}
      </div>
    </section>
  );
}

function Difference({ name }: { readonly name: string }) {
  const { label, tone } = differences[name] ?? { label: name, tone: 'neutral' };
  return <Tag tone={tone}>{label}</Tag>;
}

interface PanelProps {
  readonly entry: ComparedCase;
  readonly comparison: DatasetComparison;
  readonly onClose: () => void;
}

/** One case: the request and both replies. */
function CasePanel({ entry: { id, messages, baseline, candidate, scores }, comparison, onClose }: PanelProps) {
  const { scorers, currency } = comparison;
  return (
    <aside className="panel" aria-label="Case">
      <div className="panel-bar">
        <Link to="/completions/$id" params={{ id }}>
          Open completion
        </Link>
        <span className="note">j and k: next and previous, Esc: close</span>
        <CloseButton aria-label="Close case" onClick={onClose} />
      </div>
      <DescriptionList
        entries={scorers.map(({ type }, index) => [scorerLabel(type), scoreText(scores[index])])}
        layout="inline"
      />
      <Reply title="Baseline" reply={baseline} currency={currency} />
      <Reply title="Candidate" reply={candidate} currency={currency} />
      <section className="card" aria-label="Request">
        <h2>Request</h2>
        <ol className="transcript">
          {messages.map(({ role, text }, index) => (
            <li key={index} className={`turn ${role}`}>
              <h3 className="role">{role}</h3>
              <PlainText text={text} />
            </li>
          ))}
        </ol>
      </section>
    </aside>
  );
}

interface ReplyProps {
  readonly title: string;
  readonly reply: ComparedReply | CaseError;
  readonly currency: string;
}

function Reply({ title, reply, currency }: ReplyProps) {
  if ('error' in reply)
    return (
      <section className="card" aria-label={title}>
        <h2>{title}</h2>
        <p>No reply: {reply.error}</p>
      </section>
    );
  const facts = [
    reply.model,
    durationOf(reply),
    `${formatNumber(reply.tokens)} output tokens`,
    ...(reply.cost === undefined ? [] : [formatMoney(reply.cost, currency)]),
  ];
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <p className="note">{facts.join(' · ')}</p>
      <Markdown text={reply.text} />
    </section>
  );
}

function excerptOf(reply: ComparedReply | CaseError): string {
  if ('error' in reply) return `No reply: ${reply.error}`;
  return reply.text.trim().slice(0, 200) || 'No text';
}

function durationOf(reply: ComparedReply | CaseError): string {
  return 'error' in reply || reply.durationMs === undefined ? '–' : formatDuration(reply.durationMs);
}

function scoreText(score: ComparedCase['scores'][number]): string {
  if (score === undefined) return '–';
  return 'error' in score ? score.error : `${formatScore(score.baseline)} → ${formatScore(score.candidate)}`;
}

const formatScore = (score: number): string => String(Number(score.toFixed(2)));
