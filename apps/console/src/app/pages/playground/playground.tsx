import { Button } from '@mantine/core';
import type { ModelCapabilities } from '@modelwire/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { clearHandover } from '../../api/playground-handover.ts';
import { addToHistory } from '../../api/playground-history.ts';
import { modelsOfKindQuery } from '../../api/models.ts';
import { capabilitiesQuery } from '../../api/status.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { isDialogOpen } from '../../components/modal.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { quiet } from '../../components/quiet.ts';
import { CodeDialog } from './code-dialog.tsx';
import { Composer } from './composer.tsx';
import { codeSample } from './code-samples.ts';
import { messagesOf, textOf } from './conversation.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { loadInitialSetup, storeSetup } from './initial-setup.ts';
import { ModelSelect } from './model-select.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { ShareButton } from './share-button.tsx';
import { Transcript } from './transcript.tsx';
import { findUnsupported, sharedEfforts, withoutUnsupported } from './unsupported-settings.ts';
import type { SharedSetup } from './setup.ts';
import { useConversation } from './use-conversation.ts';
import { variablesIn } from './variables.ts';

export function Playground() {
  const [initialState] = useState(loadInitialSetup);
  const [chosenSetup, setSetup] = useState(initialState.setup);
  const [settingsOpen, setSettingsOpen] = useState(() => matchMedia('(min-width: 1000px)').matches);
  const models = useQuery(modelsOfKindQuery('chat'));
  const modelIds = models.data ?? [];
  const firstModel = chosenSetup.models[0] ?? modelIds[0] ?? '';
  const secondModel = chosenSetup.models[1];
  const capabilities = useCapabilities([firstModel, secondModel ?? '']);
  const unsupported = findUnsupported(capabilities);
  const setup = withoutUnsupported(chosenSetup, unsupported);
  const firstConversation = useConversation(setup, firstModel, initialState.messages);
  const secondConversation = useConversation(setup, secondModel ?? '', initialState.messages);
  const conversations = secondModel === undefined ? [firstConversation] : [firstConversation, secondConversation];
  const [draftVariables, setDraftVariables] = useState<readonly string[]>([]);
  const messages = messagesOf(firstConversation.turns);
  const userTexts = messages.filter(({ role }) => role === 'user').map(textOf);
  const variables = [...new Set([...variablesIn([setup.system, ...userTexts]), ...draftVariables])];
  useEffect(() => storeSetup(chosenSetup), [chosenSetup]);
  useEffect(() => clearHandover(), []);

  const [conversationId, setConversationId] = useState(createConversationId);
  const isRunning = conversations.some((conversation) => conversation.isRunning);
  const { stop: stopFirst } = firstConversation;
  const { stop: stopSecond } = secondConversation;
  // A layout effect: Escape works as soon as the page shows that a reply is generated.
  useLayoutEffect(() => {
    if (!isRunning) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isDialogOpen()) return;
      stopFirst();
      stopSecond();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isRunning, stopFirst, stopSecond]);
  const startedAt = useRef(0);
  useEffect(() => {
    if (isRunning) {
      startedAt.current = Date.now();
      return;
    }
    // Not what was only opened.
    if (startedAt.current === 0 || messages.length === 0) return;
    startedAt.current = 0;
    const shared = {
      setup: { ...chosenSetup, models: secondModel === undefined ? [firstModel] : [firstModel, secondModel] },
      messages,
    };
    addToHistory({
      id: conversationId,
      at: Math.floor(Date.now() / 1000),
      title: userTexts[0]?.slice(0, 120) || 'Attachments',
      shared: JSON.stringify(shared),
    });
  });
  const openConversation = (id: string, { setup: opened, messages: loaded }: SharedSetup): void => {
    setConversationId(id);
    setSetup(opened);
    for (const conversation of [firstConversation, secondConversation]) conversation.load(loaded);
  };
  const chooseModel = (index: number, model: string): void =>
    setSetup({ ...chosenSetup, models: index === 0 ? [model, ...chosenSetup.models.slice(1)] : [firstModel, model] });

  return (
    <div className="playground">
      <PageHeader title="Playground">
        <Button
          {...quiet}
          onClick={() => openConversation(createConversationId(), { setup: chosenSetup, messages: [] })}
        >
          Clear
        </Button>
        <HistoryDialog onOpen={openConversation} />
        <Button
          aria-pressed={secondModel !== undefined}
          onClick={() =>
            setSetup({
              ...chosenSetup,
              models: secondModel === undefined ? [firstModel, modelIds[1] ?? firstModel] : [firstModel],
            })
          }
        >
          Compare two models
        </Button>
        <CodeDialog setup={setup} model={firstModel} turns={firstConversation.turns} />
        <ShareButton
          setup={{ ...setup, models: secondModel === undefined ? [firstModel] : [firstModel, secondModel] }}
          turns={firstConversation.turns}
        />
        <Button aria-expanded={settingsOpen} onClick={() => setSettingsOpen(!settingsOpen)}>
          Settings
        </Button>
      </PageHeader>
      {models.error !== null && (
        <ErrorNotice
          title="The models could not be listed."
          error={models.error}
          onRetry={() => void models.refetch()}
        />
      )}
      <div className={settingsOpen ? 'workbench with-settings' : 'workbench'}>
        <div className="talk">
          <div className={secondModel === undefined ? 'panes' : 'panes two'}>
            {conversations.map((conversation, index) => (
              <section className="pane" key={index} aria-label={index === 0 ? 'Conversation' : 'Second conversation'}>
                <ModelSelect
                  label={index === 0 ? 'Model' : 'Second model'}
                  models={modelIds}
                  value={index === 0 ? firstModel : (secondModel ?? '')}
                  onChange={(model) => chooseModel(index, model)}
                />
                {conversation.turns.length === 0 ? (
                  <Welcome model={index === 0 ? firstModel : (secondModel ?? '')} />
                ) : (
                  <Transcript conversation={conversation} showLogprobs={setup.logprobs} />
                )}
              </section>
            ))}
          </div>
          <Composer
            isRunning={isRunning}
            onVariables={setDraftVariables}
            onSend={(message) => conversations.forEach((conversation) => conversation.send([message]))}
            onStop={() => conversations.forEach((conversation) => conversation.stop())}
          />
        </div>
        {settingsOpen && (
          <SettingsPanel
            setup={setup}
            variables={variables}
            unsupported={unsupported}
            efforts={sharedEfforts(capabilities)}
            onChange={(changes) => setSetup({ ...chosenSetup, ...changes })}
          />
        )}
      </div>
    </div>
  );
}

/** Not a UUID: browsers create those over HTTPS only. */
const createConversationId = (): string => `${Date.now()}-${Math.random()}`;

/** The capabilities of the models, as far as they are known. */
function useCapabilities(models: readonly string[]): readonly ModelCapabilities[] {
  const results = useQueries({
    queries: [...new Set(models)].filter((model) => model !== '').map((model) => capabilitiesQuery(model)),
  });
  return results.flatMap(({ data }) => (data === undefined ? [] : [data]));
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
