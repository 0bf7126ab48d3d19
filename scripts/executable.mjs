// `npm run executable`: builds the server as one file for this system, with Node.js and the console inside, in dist/executable. `--out` names
// another folder. It is made of the sources, and of the dependencies in the lockfile.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { collectFiles } from './executable/collect-files.mjs';
import { run } from './release-try/processes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/executable') } } });
const isWindows = process.platform === 'win32';
const isMac = process.platform === 'darwin';
const program = join(
  resolve(values.out),
  `modelwire-server-${process.platform}-${process.arch}${isWindows ? '.exe' : ''}`,
);
/** Where Node.js looks for embedded data: https://nodejs.org/api/single-executable-applications.html. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The license of Node.js and of what it contains. The distributions of nodejs.org have it; installations by pnpm do not. */
function nodeLicense() {
  const folder = dirname(process.execPath);
  const path = [join(folder, 'LICENSE'), join(folder, '../LICENSE')].find(existsSync);
  if (path !== undefined) return [{ path: 'LICENSE-node', contents: readFileSync(path) }];
  process.stderr.write(
    `The license of Node.js is not beside ${process.execPath}: this executable is for yourself only. ` +
      'For others, run scripts/executable.mjs with a Node.js from https://nodejs.org.\n',
  );
  return [];
}

/** The data to embed: the launcher, the list of files with their hashes, and their contents. */
async function prepare(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8'));
  const { main, files: collected } = await collectFiles(root);
  const files = [...collected, ...nodeLicense()];
  const listed = files.map(({ path, contents }) => ({
    path,
    size: contents.length,
    hash: createHash('sha256').update(contents).digest('hex'),
  }));
  const all = Buffer.concat(files.map(({ contents }) => contents));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ version, main, files: listed }));
  const params = { [constants.ZSTD_c_compressionLevel]: 9 };
  writeFileSync(join(folder, 'files.zst'), zstdCompressSync(all, { params }));
  copyFileSync(join(root, 'scripts/executable/launcher.cjs'), join(folder, 'launcher.cjs'));
  const config = {
    main: 'launcher.cjs',
    output: 'embedded.blob',
    disableExperimentalSEAWarning: true,
    assets: { 'index.json': 'index.json', files: 'files.zst' },
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
  run(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
  return { count: files.length, bytes: all.length, blob: join(folder, 'embedded.blob') };
}

/** Makes a copy of the Node.js that runs this, with the data in it. */
async function embed(blob) {
  mkdirSync(resolve(values.out), { recursive: true });
  if (!readFileSync(process.execPath).includes(fuse))
    throw new Error(`${process.execPath} cannot embed programs. Use a Node.js from https://nodejs.org or npm.`);
  copyFileSync(process.execPath, program);
  chmodSync(program, 0o755);
  if (isMac) run('codesign', ['--remove-signature', program]);
  const { inject } = createRequire(import.meta.url)('postject');
  const segment = isMac ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(program, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse, ...segment });
  // Programs without a signature do not start on macOS. This one names nobody.
  if (isMac) run('codesign', ['--sign', '-', program]);
}

const folder = mkdtempSync(join(tmpdir(), 'modelwire-executable-'));
try {
  const { count, bytes, blob } = await prepare(folder);
  await embed(blob);
  const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
  writeFileSync(`${program}.sha256`, `${hash}  ${basename(program)}\n`);
  const megabytes = (size) => `${(size / 1e6).toFixed(0)} MB`;
  process.stdout.write(
    `${program}: ${megabytes(statSync(program).size)}, with ${count} files of ${megabytes(bytes)}, Node.js ${process.version}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
