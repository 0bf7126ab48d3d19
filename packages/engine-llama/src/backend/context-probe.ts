import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DeviceOptions } from '../options.ts';
import type { ContextShape } from './context-memory.ts';

/** What the child process needs to plan a context. */
export interface ProbedContext extends ContextShape {
  readonly options: Pick<DeviceOptions, 'path' | 'gpu' | 'batchSize' | 'flashAttention' | 'cacheType'>;
  readonly gpuLayers: number;
}

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './context-probe-process.ts' : './context-probe-process.js',
    import.meta.url,
  ),
);

/** Whether llama.cpp can plan a context. Where a tensor is too large for the device, it aborts: a child process, in this case. */
export async function canPlanContext(probed: ProbedContext): Promise<boolean> {
  const child = fork(program, [JSON.stringify(probed)], { execArgv: [], stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
