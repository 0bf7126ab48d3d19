import { expect, test } from 'vitest';
import { createTestEngine, job, createRecordingContext } from './testing/running.ts';

test('a named pipe in place of the video is command_output_invalid, and is not read', async () => {
  const { engine, folders } = createTestEngine(`child.execFileSync('mkfifo', [job.output + '/video.mp4']);`);
  const { context, saved } = createRecordingContext();
  await expect(engine.render(job, context)).rejects.toMatchObject({ code: 'command_output_invalid' });
  expect(saved.size).toBe(0);
  expect(folders()).toEqual([]);
});
