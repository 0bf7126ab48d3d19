// The main program of the single executable (../executable.mjs). Node.js loads modules from files only: the first start unpacks those of the
// server into a folder of the user, and later starts check them. Child processes of the server start the executable again, with a module.
'use strict';
const { createHash, randomUUID } = require('node:crypto');
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join, sep } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { zstdDecompressSync } = require('node:zlib');

const index = getAsset('index.json', 'utf8');
const { version, main, files } = JSON.parse(index);
/** Other contents have another name, so that several versions can run at the same time. */
const folderName = `${version}-${sha256(index).slice(0, 16)}`;

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** Runs a module of the folder as if Node.js had been started with it. */
function run(folder, path, args) {
  process.argv = [process.execPath, path, ...args];
  // The executable itself can only load the modules of Node.js.
  createRequire(join(folder, 'import.cjs'))('./import.cjs')(pathToFileURL(path));
}

/** The module that `fork` and `cluster` start, after options of Node.js, and the folder with all files. */
function moduleOfChild() {
  if (!process.connected) return undefined;
  const args = process.argv.slice(2);
  const at = args.findIndex((argument) => !argument.startsWith('-'));
  const path = args[at];
  if (path === undefined || !isAbsolute(path)) return undefined;
  const names = path.split(sep);
  const depth = names.indexOf(folderName);
  if (depth === -1) return undefined;
  if (args.slice(0, at).includes('--expose-gc')) {
    setFlagsFromString('--expose-gc');
    globalThis.gc = runInNewContext('gc');
  }
  return { folder: names.slice(0, depth + 1).join(sep), path, args: args.slice(at + 1) };
}

/** The folder for what programs can create again, by the convention of the system; `XDG_CACHE_HOME` is used on each. */
function cacheRoot() {
  const { XDG_CACHE_HOME: cache = '', LOCALAPPDATA: local = '' } = process.env;
  if (isAbsolute(cache)) return join(cache, 'modelwire');
  if (process.platform === 'win32' && isAbsolute(local)) return join(local, 'modelwire');
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'modelwire');
}

/** Creates the folder. Throws if other users could put files into it. */
function createRoot(root) {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { uid, mode } = statSync(root);
  if (uid !== process.getuid()) throw new Error(`the folder belongs to the user ${uid}`);
  if ((mode & 0o022) !== 0) throw new Error('other users can write to the folder');
}

/** Whether the folder has every file, with the contents that it had in the executable. */
function isComplete(folder) {
  return files.every(({ path, size, hash }) => {
    const file = join(folder, path);
    return statSync(file, { throwIfNoEntry: false })?.size === size && sha256(readFileSync(file)) === hash;
  });
}

function writeFiles(folder) {
  const contents = zstdDecompressSync(Buffer.from(getRawAsset('files')));
  let offset = 0;
  const folders = new Set();
  for (const { path, size } of files) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true, mode: 0o700 });
    folders.add(parent);
    writeFileSync(file, contents.subarray(offset, offset + size), { mode: 0o600 });
    offset += size;
  }
}

/** Removes what processes have left that were killed while they unpacked. */
function removeUnfinished(root) {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (/\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name) && mtimeMs < hourAgo)
      rmSync(path, { recursive: true, force: true });
  }
}

/** The folder with all files. Several processes can do this at the same time: a folder gets its name when it is complete. */
function unpack(root) {
  createRoot(root);
  const folder = join(root, folderName);
  const exists = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (exists && isComplete(folder)) return folder;
  removeUnfinished(root);
  const temporary = `${folder}.${randomUUID()}`;
  try {
    writeFiles(join(temporary, 'new'));
    if (exists) {
      process.stderr.write(`The files in ${folder} are damaged: they are unpacked again.\n`);
      renameSync(folder, join(temporary, 'damaged'));
    }
    renameSync(join(temporary, 'new'), folder);
  } catch (error) {
    // Another process was faster.
    if (!isComplete(folder)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

function folderOfServer() {
  const root = cacheRoot();
  try {
    return unpack(root);
  } catch (error) {
    process.stderr.write(
      `Cannot unpack the server into ${root}: ${error.message}. ` +
        'Set XDG_CACHE_HOME to a folder that you can write to, with 200 MB of free space.\n',
    );
    return process.exit(1);
  }
}

const child = moduleOfChild();
if (child) run(child.folder, child.path, child.args);
else {
  const folder = folderOfServer();
  run(folder, join(folder, main), process.argv.slice(2));
}
