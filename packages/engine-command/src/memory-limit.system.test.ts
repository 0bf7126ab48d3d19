import { expect, test } from 'vitest';
import { createTestEngine, job, createRecordingContext } from './testing/running.ts';

test('a memory limit applies to each process; other systems than Linux are refused', async () => {
  const hungry = `const all = []; for (let i = 0; i < 64; i++) all.push(Buffer.alloc(16 * 1024 ** 2, 1)); write('video.mp4');`;
  const limited = (): ReturnType<typeof createTestEngine> => createTestEngine(hungry, { memoryBytes: 512 * 1024 ** 2 });
  if (process.platform !== 'linux') {
    expect(limited).toThrow('prlimit');
    return;
  }
  await expect(limited().engine.render(job, createRecordingContext().context)).rejects.toMatchObject({
    code: 'command_failed',
  });
  const { engine, note } = createTestEngine(
    `note('limits', fs.readFileSync('/proc/self/limits', 'utf8')); write('video.mp4');`,
    {
      memoryBytes: 4 * 1024 ** 3,
    },
  );
  await engine.render(job, createRecordingContext().context);
  expect(note('limits')).toMatch(/Max data size +4294967296 +4294967296/);
});
