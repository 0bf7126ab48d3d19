import { Link } from '@tanstack/react-router';
import { apiBaseURL } from '../../api/urls.ts';
import { curlCommand } from '../../api/curl-command.ts';
import { CodeBlock } from '../../components/code-block.tsx';

/** What to do next on a server without requests in the period. */
export function NextSteps({ period }: { readonly period: string }) {
  const body = { model: 'simulator', messages: [{ role: 'user', content: 'Hello!' }] };
  return (
    <section className="card" aria-label="Next steps">
      <h2>No requests in the last {period}</h2>
      <ol className="next-steps">
        <li>
          <strong>Try a model.</strong> <Link to="/playground">Open the playground</Link>, or send a request:
          <CodeBlock label="Shell" code={curlCommand(`${apiBaseURL}/chat/completions`, body)} />
        </li>
        <li>
          <strong>Connect your application.</strong> <Link to="/keys">Create a key</Link> and set its base URL to{' '}
          <code>{apiBaseURL}</code>.
        </li>
        <li>
          <strong>Put a real model behind it.</strong> Name an upstream or a GGUF file in the configuration;{' '}
          <Link to="/models">models and health</Link> show whether it responds.
        </li>
      </ol>
    </section>
  );
}
