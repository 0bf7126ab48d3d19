import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { apiBaseURL } from '../../api/addresses.ts';
import { clearHandover } from '../../api/playground-handover.ts';
import { modelsOfKindQuery } from '../../api/models.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { Composer } from './composer.tsx';
import { codeSample } from './code-samples.ts';
import { initialSetup, storeSetup } from './initial-setup.ts';
import { ModelSelect } from './model-select.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { ShareButton } from './share-button.tsx';
import { Transcript } from './transcript.tsx';
import { useConversation } from './use-conversation.ts';

export function Playground() {
  const [initial] = useState(initialSetup);
  const [setup, setSetup] = useState(initial.setup);
  const [settingsOpen, setSettingsOpen] = useState(() => matchMedia('(min-width: 1000px)').matches);
  const models = useQuery(modelsOfKindQuery('chat'));
  const known = models.data ?? [];
  const first = setup.models[0] ?? known[0] ?? '';
  const second = setup.models[1];
  const left = useConversation(setup, first, initial.messages);
  const right = useConversation(setup, second ?? '', initial.messages);
  const panes = second === undefined ? [left] : [left, right];
  useEffect(() => storeSetup(setup), [setup]);
  useEffect(() => clearHandover(), []);

  const running = panes.some((pane) => pane.running);
  const { stop: stopLeft } = left;
  const { stop: stopRight } = right;
  // Together with the text that says so: the key works as soon as it is visible.
  useLayoutEffect(() => {
    if (!running) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
      stopLeft();
      stopRight();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [running, stopLeft, stopRight]);
  const chooseModel = (index: number, model: string): void =>
    setSetup({ ...setup, models: index === 0 ? [model, ...setup.models.slice(1)] : [first, model] });

  return (
    <div className="playground">
      <PageHeader title="Playground">
        <button type="button" className="small" onClick={() => panes.forEach((pane) => pane.clear())}>
          Clear
        </button>
        <button
          type="button"
          className="small"
          aria-pressed={second !== undefined}
          onClick={() => setSetup({ ...setup, models: second === undefined ? [first, known[1] ?? first] : [first] })}
        >
          Compare two models
        </button>
        <CodeDialog setup={setup} model={first} turns={left.turns} />
        <ShareButton
          setup={{ ...setup, models: second === undefined ? [first] : [first, second] }}
          turns={left.turns}
        />
        <button
          type="button"
          className="small"
          aria-expanded={settingsOpen}
          onClick={() => setSettingsOpen(!settingsOpen)}
        >
          Settings
        </button>
      </PageHeader>
      {models.error !== null && (
        <ErrorNotice
          title="The models could not be listed."
          error={models.error}
          onRetry={() => void models.refetch()}
        />
      )}
      <div className={settingsOpen ? 'workbench with-settings' : 'workbench'}>
        <div className={second === undefined ? 'panes' : 'panes two'}>
          {panes.map((pane, index) => (
            <section className="pane" key={index} aria-label={index === 0 ? 'Conversation' : 'Second conversation'}>
              <ModelSelect
                label={index === 0 ? 'Model' : 'Second model'}
                models={known}
                value={index === 0 ? first : (second ?? '')}
                onChange={(model) => chooseModel(index, model)}
              />
              {pane.turns.length === 0 ? (
                <Welcome model={index === 0 ? first : (second ?? '')} />
              ) : (
                <Transcript conversation={pane} showLogprobs={setup.logprobs} />
              )}
            </section>
          ))}
        </div>
        {settingsOpen && <SettingsPanel setup={setup} onChange={setSetup} />}
      </div>
      <Composer
        running={running}
        onSend={(message) => panes.forEach((pane) => pane.send([message]))}
        onStop={() => panes.forEach((pane) => pane.stop())}
      />
    </div>
  );
}

function Welcome({ model }: { readonly model: string }) {
  const messages = [{ role: 'user', content: 'Hello!' }] as const;
  return (
    <div className="empty">
      <h2>Send a message, or request the API</h2>
      <p>The playground sends the same requests as your programs do.</p>
      <CodeBlock label="Shell" code={codeSample('curl', apiBaseURL, { model: model || 'simulator', messages })} />
    </div>
  );
}
