import { Table } from '@mantine/core';
import type { TokenLogprob } from '@modelwire/client';
import { useState } from 'react';

/** Maximum number of tokens that are shown. More would make the page slow. */
const maxShownTokens = 2_000;

/** A reply as its tokens, shaded by probability. The token under the pointer shows its alternatives; arrow keys move between tokens. */
export function Logprobs({ tokens }: { readonly tokens: readonly TokenLogprob[] }) {
  const [index, setIndex] = useState(0);
  const shownTokens = tokens.slice(0, maxShownTokens);
  const token = shownTokens[index];
  return (
    <div>
      <div
        className="tokens"
        role="group"
        tabIndex={0}
        aria-label="Tokens. Arrow keys choose a token."
        onKeyDown={(event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setIndex(Math.min(shownTokens.length - 1, Math.max(0, index + step)));
        }}
        onMouseOver={(event) => {
          const tokenIndex = event.target instanceof HTMLElement ? event.target.dataset['index'] : undefined;
          if (tokenIndex !== undefined) setIndex(Number(tokenIndex));
        }}
      >
        {shownTokens.map(({ token, logprob }, tokenIndex) => (
          <span
            key={tokenIndex}
            data-index={tokenIndex}
            data-level={probabilityLevel(logprob)}
            className={tokenIndex === index ? 'chosen' : undefined}
          >
            {token}
          </span>
        ))}
      </div>
      {token !== undefined && <Alternatives token={token} />}
      {tokens.length > maxShownTokens && <p className="note">The first {maxShownTokens} tokens are shown.</p>}
    </div>
  );
}

function Alternatives({ token }: { readonly token: TokenLogprob }) {
  const others = token.top_logprobs.filter((other) => other.token !== token.token);
  return (
    <Table className="alternatives" captionSide="top" aria-live="polite">
      <Table.Caption>Probability of {JSON.stringify(token.token)} and its alternatives</Table.Caption>
      <Table.Tbody>
        {[token, ...others].map((alternative, alternativeIndex) => (
          <Table.Tr key={alternativeIndex}>
            <Table.Th scope="row">
              <code>{JSON.stringify(alternative.token)}</code>
            </Table.Th>
            <Table.Td>{(Math.exp(alternative.logprob) * 100).toFixed(2)} %</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The shade of a token: 0 (unlikely) to 4 (almost certain). */
function probabilityLevel(logprob: number): number {
  return Math.min(4, Math.floor(Math.exp(logprob) * 5));
}
