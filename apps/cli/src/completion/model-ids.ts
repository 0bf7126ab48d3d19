import { createTransport } from '@modelwire/core';
import { createModels } from '@modelwire/models';
import { readSettings } from '../config/settings.ts';
import type { SettingsFlags } from '../config/settings.ts';
import type { Terminal } from '../terminal.ts';

/** The user waits for the completion. */
const TIMEOUT_MS = 1000;

/** Ids of the models of the server, or none if it does not respond in time. */
export async function modelIds(terminal: Terminal, flags: SettingsFlags): Promise<readonly string[]> {
  try {
    const { baseURL, key } = await readSettings(terminal, flags);
    const transport = createTransport({
      baseURL: baseURL.value,
      maxRetries: 0,
      timeouts: { total: TIMEOUT_MS },
      ...(key !== undefined && { apiKey: key.value }),
    });
    const { data } = await createModels(transport).list();
    return data.map(({ id }) => id);
  } catch {
    return [];
  }
}
