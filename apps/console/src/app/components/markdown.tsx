import { Checkbox, Table } from '@mantine/core';
import { marked } from 'marked';
import type { Token, Tokens } from 'marked';
import { memo, useMemo } from 'react';
import { truncateText } from './truncate-text.ts';
import { CodeBlock } from './code-block.tsx';
import { safeLink } from './safe-link.ts';

/** Longer texts are shown as plain text: parsing takes about a millisecond per KB. */
const maxMarkdownCharacters = 100_000;

/**
 * Renders Markdown as React elements, never as HTML: raw HTML in the source is shown as text, links with unsafe protocols are text, and
 * images are links, since the console sends no requests to other hosts.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => (isPlain(text) ? undefined : marked.lexer(text)), [text]);
  if (tokens === undefined) return <PlainText text={text} />;
  return (
    <div className="markdown" dir="auto">
      {tokens.map((token, index) => (
        // While the text grows, the source of complete blocks does not change: only the last block is rendered again.
        <Block key={index} token={token} raw={token.raw} />
      ))}
    </div>
  );
});

/** Whether a text, or one of its lines, is too long to be parsed as Markdown. */
function isPlain(text: string): boolean {
  return text.length > maxMarkdownCharacters || /[^\n]{10000}/.test(text);
}

/** Unformatted text. Long text is truncated. */
export function PlainText({ text }: { readonly text: string }) {
  const { shown, hiddenCharacters } = truncateText(text);
  return (
    <div className="plain" dir="auto">
      {shown}
      {hiddenCharacters > 0 && (
        <p className="note">{hiddenCharacters.toLocaleString('en')} more characters are not shown.</p>
      )}
    </div>
  );
}

interface BlockProps {
  readonly token: Token;
  readonly raw: string;
}

const Block = memo(
  function Block({ token }: BlockProps) {
    return <BlockContent token={token} />;
  },
  (previous, next) => previous.raw === next.raw && previous.token.type === next.token.type,
);

function BlockContent({ token }: { readonly token: Token }): React.ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading depth={numberOf(token, 'depth')}>{renderInline(token)}</Heading>;
    case 'paragraph':
      return <p>{renderInline(token)}</p>;
    case 'code':
      return <CodeBlock code={textOf(token)} label={stringOf(token, 'lang')} />;
    case 'blockquote':
      return <blockquote>{renderBlocks(token)}</blockquote>;
    case 'list':
      return isList(token) ? <List token={token} /> : null;
    case 'table':
      return isTable(token) ? <MarkdownTable token={token} /> : null;
    case 'hr':
      return <hr />;
    case 'text':
      return childrenOf(token).length > 0 ? <>{renderInline(token)}</> : <>{unescapeEntities(textOf(token))}</>;
    default:
      // Includes raw HTML.
      return <p>{token.raw}</p>;
  }
}

/** A heading in a message. Its level is below the headings of the page. */
function Heading({ depth, children }: { readonly depth: number; readonly children: React.ReactNode }) {
  if (depth <= 1) return <h3>{children}</h3>;
  if (depth === 2) return <h4>{children}</h4>;
  return <h5>{children}</h5>;
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <Checkbox checked={item.checked === true} disabled aria-label="Task" />}
      {item.tokens.map((child, childIndex) => (
        <BlockContent key={childIndex} token={child} />
      ))}
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function MarkdownTable({ token }: { readonly token: Tokens.Table }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {token.header.map((cell, index) => (
              <Table.Th key={index} scope="col">
                {renderInline(cell)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {token.rows.map((row, index) => (
            <Table.Tr key={index}>
              {row.map((cell, cellIndex) => (
                <Table.Td key={cellIndex}>{renderInline(cell)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function renderBlocks(token: Token): React.ReactNode {
  return childrenOf(token).map((child, index) => <BlockContent key={index} token={child} />);
}

function renderInline(token: { readonly tokens?: Token[] | undefined; readonly text?: string }): React.ReactNode {
  return (token.tokens ?? []).map((child, index) => <Inline key={index} token={child} />);
}

function Inline({ token }: { readonly token: Token }): React.ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{renderInline(token)}</strong>;
    case 'em':
      return <em>{renderInline(token)}</em>;
    case 'del':
      return <del>{renderInline(token)}</del>;
    case 'codespan':
      return <code>{textOf(token)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <SafeLink href={stringOf(token, 'href')}>{renderInline(token)}</SafeLink>;
    case 'image':
      return <SafeLink href={stringOf(token, 'href')}>{textOf(token) || 'Image'}</SafeLink>;
    case 'escape':
      return textOf(token);
    case 'text':
      return childrenOf(token).length > 0 ? renderInline(token) : unescapeEntities(textOf(token));
    default:
      return token.raw;
  }
}

function SafeLink({ href, children }: { readonly href: string; readonly children: React.ReactNode }) {
  const target = safeLink(href);
  if (target === undefined) return <>{children}</>;
  return (
    <a href={target} target="_blank" rel="noreferrer noopener" title={target}>
      {children}
    </a>
  );
}

/** The lexer escapes some characters of inline text for HTML, which React does not need. */
function unescapeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function childrenOf(token: Token): Token[] {
  return 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function stringOf(token: Token, name: string): string {
  const value: unknown = Object.entries(token).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

function numberOf(token: Token, name: string): number {
  const value: unknown = Object.entries(token).find(([key]) => key === name)?.[1];
  return typeof value === 'number' ? value : 0;
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list' && 'items' in token;
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table' && 'header' in token;
}
