import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonFolder } from './python.ts';
import { run } from './run.ts';
import { startServer } from './server.ts';

/** The tests of the SDK for the resources of this server. */
const tests = [
  ...['batches', 'files', 'models', 'moderations', 'uploads', 'videos'].map((name) => `test_${name}.py`),
  ...['chat', 'uploads'],
].map((path) => join('tests', 'api_resources', path));

const settings = join(pythonFolder, 'generated');

/**
 * Runs the generated tests of the official Python SDK, from the source distribution of its pinned version, which is downloaded to the
 * virtual environment. `python/generated/` replaces their placeholder IDs and says which failures are expected.
 */
export async function runGeneratedTests(programs: string): Promise<boolean> {
  const folder = await downloadedSource(programs);
  // The tests name models of hosted services.
  const server = await startServer('sora-2=storyboard,*=simulator');
  try {
    const env = {
      ...{ MODELWIRE_URL: server.url, MODELWIRE_API_KEY: server.key, TEST_API_BASE_URL: `${server.url}/v1` },
      ...{ PYTHONPATH: settings, PYTHONDONTWRITEBYTECODE: '1' },
    };
    const args = ['-m', 'pytest', '-c', join(settings, 'pytest.ini'), '--rootdir', folder, ...tests];
    return await run(join(programs, 'python'), args, { cwd: folder, env });
  } finally {
    await server.stop();
  }
}

/** The folder of the SDK's source, downloaded once. */
async function downloadedSource(programs: string): Promise<string> {
  const pinned = /^openai==(.+)$/m.exec(await readFile(join(pythonFolder, 'requirements.txt'), 'utf8'))?.[1];
  if (pinned === undefined) throw new Error('requirements.txt pins no version of openai.');
  const destination = join(programs, '..', 'sources');
  const folder = join(destination, `openai-${pinned}`);
  if (existsSync(join(folder, 'tests'))) return folder;
  const python = join(programs, 'python');
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', 'openai', `openai==${pinned}`];
  const archive = `${folder}.tar.gz`;
  const downloaded =
    (await run(python, [...download, '--dest', destination])) &&
    (await run(python, ['-m', 'tarfile', '--extract', archive, destination]));
  if (!downloaded) throw new Error(`The source distribution of openai ${pinned} could not be downloaded.`);
  return folder;
}
