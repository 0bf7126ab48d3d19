import { loadBinding, openLlama } from './binding.ts';
import { measureContextMemory } from './context-memory.ts';
import type { ProbedContext } from './context-probe.ts';

// The argument is written by `canPlanContext`.
const { options, contextSize, sequences, gpuLayers } = JSON.parse(process.argv[2] ?? '') as ProbedContext;
const binding = await loadBinding();
const llama = await openLlama(binding, options.gpu);
const file = await binding.readGgufFileInfo(options.path, { sourceType: 'filesystem', logWarnings: false });
const memory = await measureContextMemory(binding, await binding.GgufInsights.from(file, llama), options);
await memory.exact({ contextSize, sequences }, gpuLayers);
process.exit(0);
