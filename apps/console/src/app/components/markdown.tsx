import { marked } from 'marked';
import type { Token, Tokens } from 'marked';
import { memo, useMemo } from 'react';
import { boundText } from './bounded-text.ts';
import { CodeBlock } from './code-block.tsx';
import { safeLink } from './safe-link.ts';

/** Longer texts are shown as plain text: parsing takes about a millisecond per KB. */
const maxMarkdownCharacters = 100_000;

/**
 * Renders Markdown as React elements, never as HTML: raw HTML in the source is shown as text, links have only safe protocols, and images
 * are links, since the console requests nothing from other hosts.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => (isPlain(text) ? undefined : marked.lexer(text)), [text]);
  if (tokens === undefined) return <PlainText text={text} />;
  return (
    <div className="markdown" dir="auto">
      {tokens.map((token, index) => (
        // Complete blocks keep their source while the text grows: only the last one is rendered again.
        <Block key={index} token={token} raw={token.raw} />
      ))}
    </div>
  );
});

/** Text that is too long for Markdown, or whose lines are. */
function isPlain(text: string): boolean {
  return text.length > maxMarkdownCharacters || /[^\n]{10000}/.test(text);
}

/** Unformatted text. Long text is shortened, with a button for the rest of it. */
export function PlainText({ text }: { readonly text: string }) {
  const { shown, hiddenCharacters } = boundText(text);
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
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);

function BlockContent({ token }: { readonly token: Token }): React.ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading depth={numberOf(token, 'depth')}>{inline(token)}</Heading>;
    case 'paragraph':
      return <p>{inline(token)}</p>;
    case 'code':
      return <CodeBlock code={textOf(token)} label={stringOf(token, 'lang')} />;
    case 'blockquote':
      return <blockquote>{blocks(token)}</blockquote>;
    case 'list':
      return isList(token) ? <List token={token} /> : null;
    case 'table':
      return isTable(token) ? <Table token={token} /> : null;
    case 'hr':
      return <hr />;
    case 'text':
      return childrenOf(token).length > 0 ? <>{inline(token)}</> : <>{unescapeEntities(textOf(token))}</>;
    default:
      // Also raw HTML.
      return <p>{token.raw}</p>;
  }
}

/** Headings of a message stand below those of the page. */
function Heading({ depth, children }: { readonly depth: number; readonly children: React.ReactNode }) {
  if (depth <= 1) return <h3>{children}</h3>;
  if (depth === 2) return <h4>{children}</h4>;
  return <h5>{children}</h5>;
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label="Task" />}
      {item.tokens.map((one, at) => (
        <BlockContent key={at} token={one} />
      ))}
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function blocks(token: Token): React.ReactNode {
  return childrenOf(token).map((one, index) => <BlockContent key={index} token={one} />);
}

function inline(token: { readonly tokens?: Token[] | undefined; readonly text?: string }): React.ReactNode {
  return (token.tokens ?? []).map((one, index) => <Inline key={index} token={one} />);
}

function Inline({ token }: { readonly token: Token }): React.ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token)}</strong>;
    case 'em':
      return <em>{inline(token)}</em>;
    case 'del':
      return <del>{inline(token)}</del>;
    case 'codespan':
      return <code>{textOf(token)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <SafeLink href={stringOf(token, 'href')}>{inline(token)}</SafeLink>;
    case 'image':
      return <SafeLink href={stringOf(token, 'href')}>{textOf(token) || 'Image'}</SafeLink>;
    case 'escape':
      return textOf(token);
    case 'text':
      return childrenOf(token).length > 0 ? inline(token) : unescapeEntities(textOf(token));
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
