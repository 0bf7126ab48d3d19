import type { TokenLogprob } from '@modelwire/client';
import { useState } from 'react';

/** Tokens that are shown one by one; more would slow the page down. */
const maxTokens = 2_000;

/** A reply as its tokens, shaded by probability. The token under the pointer shows its alternatives; arrow keys move between tokens. */
export function Logprobs({ tokens }: { readonly tokens: readonly TokenLogprob[] }) {
  const [index, setIndex] = useState(0);
  const shown = tokens.slice(0, maxTokens);
  const token = shown[index];
  return (
    <div className="logprobs">
      <div
        className="tokens"
        role="group"
        tabIndex={0}
        aria-label="Tokens. Arrow keys choose a token."
        onKeyDown={(event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setIndex(Math.min(shown.length - 1, Math.max(0, index + step)));
        }}
        onMouseOver={(event) => {
          const at = event.target instanceof HTMLElement ? event.target.dataset['index'] : undefined;
          if (at !== undefined) setIndex(Number(at));
        }}
      >
        {shown.map(({ token, logprob }, at) => (
          <span key={at} data-index={at} data-level={level(logprob)} className={at === index ? 'chosen' : undefined}>
            {token}
          </span>
        ))}
      </div>
      {token !== undefined && <Alternatives token={token} />}
      {tokens.length > maxTokens && <p className="note">The first {maxTokens} tokens are shown.</p>}
    </div>
  );
}

function Alternatives({ token }: { readonly token: TokenLogprob }) {
  const others = token.top_logprobs.filter((other) => other.token !== token.token);
  return (
    <table className="alternatives" aria-live="polite">
      <caption>Probability of {JSON.stringify(token.token)} and its alternatives</caption>
      <tbody>
        {[token, ...others].map((one, at) => (
          <tr key={at}>
            <th scope="row">
              <code>{JSON.stringify(one.token)}</code>
            </th>
            <td>{(Math.exp(one.logprob) * 100).toFixed(2)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 0 (unlikely) to 4 (almost certain). */
function level(logprob: number): number {
  return Math.min(4, Math.floor(Math.exp(logprob) * 5));
}
