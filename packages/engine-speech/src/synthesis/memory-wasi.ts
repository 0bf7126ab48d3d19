import { isMemory } from './wasm.ts';
import type { WasmImports, WasmInstance, WasmMemory } from './wasm.ts';

/** A program's files, in memory: nothing of the machine can be reached. */
export interface MemoryWasi {
  readonly imports: WasmImports;
  /** What the program wrote to the file; undefined when it wrote none. */
  written(name: string): Uint8Array | undefined;
  /** Runs the program to its end. @throws what trapped. */
  run(instance: WasmInstance): void;
}

interface OpenFile {
  bytes: Uint8Array;
  length: number;
  position: number;
}

// Numbers of wasi_snapshot_preview1.
const success = 0;
const badDescriptor = 8;
const invalidArgument = 28;
const noEntry = 44;
const characterDevice = 2;
const directory = 3;
const regularFile = 4;
const root = 3;
const creates = 1;
const allRights = 0xffff_ffff_ffff_ffffn;

class Exit extends Error {}

/**
 * The thirteen calls that the synthesiser makes of its system, in 1 ms and without the warning of `node:wasi`: arguments, a clock, an
 * empty root folder, and files that it makes there.
 */
export function memoryWasi(args: readonly string[]): MemoryWasi {
  const files = new Map<string, OpenFile>();
  const open = new Map<number, OpenFile>();
  const encoded = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  let memory: WasmMemory | undefined;
  let next = root + 1;

  const view = (): DataView => {
    if (!memory) throw new Error('the program runs before it has memory');
    return new DataView(memory.buffer);
  };
  const bytesAt = (at: number, length: number): Uint8Array => new Uint8Array(view().buffer, at, length);

  const calls = {
    args_sizes_get(count: number, size: number): number {
      view().setUint32(count, encoded.length, true);
      view().setUint32(
        size,
        encoded.reduce((sum, { length }) => sum + length, 0),
        true,
      );
      return success;
    },
    args_get(pointers: number, texts: number): number {
      for (const [index, text] of encoded.entries()) {
        view().setUint32(pointers + 4 * index, texts, true);
        bytesAt(texts, text.length).set(text);
        texts += text.length;
      }
      return success;
    },
    clock_time_get(_id: number, _precision: bigint, time: number): number {
      view().setBigUint64(time, BigInt(Date.now()) * 1_000_000n, true);
      return success;
    },
    fd_close: (fd: number): number => (open.delete(fd) ? success : badDescriptor),
    fd_fdstat_get(fd: number, stat: number): number {
      const kind = fd === root ? directory : open.has(fd) ? regularFile : fd < root ? characterDevice : undefined;
      if (kind === undefined) return badDescriptor;
      bytesAt(stat, 24).fill(0);
      view().setUint8(stat, kind);
      view().setBigUint64(stat + 8, allRights, true);
      view().setBigUint64(stat + 16, allRights, true);
      return success;
    },
    fd_fdstat_set_flags: (): number => success,
    fd_prestat_get(fd: number, stat: number): number {
      if (fd !== root) return badDescriptor;
      view().setUint32(stat, 0, true);
      view().setUint32(stat + 4, 1, true);
      return success;
    },
    fd_prestat_dir_name(fd: number, path: number, length: number): number {
      if (fd !== root || length < 1) return badDescriptor;
      view().setUint8(path, '/'.charCodeAt(0));
      return success;
    },
    path_open(
      ...[, , path, length, flags, , , , opened]: [
        ...[fd: number, lookup: number, path: number, length: number, flags: number],
        ...[base: bigint, inheriting: bigint, state: number, opened: number],
      ]
    ): number {
      const name = new TextDecoder().decode(bytesAt(path, length));
      let file = files.get(name);
      if (!file) {
        if ((flags & creates) === 0) return noEntry;
        file = { bytes: new Uint8Array(65_536), length: 0, position: 0 };
        files.set(name, file);
      }
      open.set(next, file);
      view().setUint32(opened, next++, true);
      return success;
    },
    fd_read(fd: number, vectors: number, count: number, read: number): number {
      const file = open.get(fd);
      if (!file && fd !== 0) return badDescriptor;
      let total = 0;
      for (const target of spans(vectors, count)) {
        if (!file) break;
        const part = file.bytes.subarray(file.position, Math.min(file.length, file.position + target.length));
        target.set(part);
        file.position += part.length;
        total += part.length;
      }
      view().setUint32(read, total, true);
      return success;
    },
    fd_write(fd: number, vectors: number, count: number, written: number): number {
      const file = open.get(fd);
      if (!file && fd >= root) return badDescriptor;
      let total = 0;
      for (const part of spans(vectors, count)) {
        // What it prints goes nowhere.
        if (file) append(file, part);
        total += part.length;
      }
      view().setUint32(written, total, true);
      return success;
    },
    fd_seek(fd: number, offset: bigint, whence: number, position: number): number {
      const file = open.get(fd);
      if (!file) return badDescriptor;
      const target = Number(offset) + (whence === 0 ? 0 : whence === 1 ? file.position : file.length);
      if (target < 0) return invalidArgument;
      file.position = target;
      view().setBigUint64(position, BigInt(target), true);
      return success;
    },
    proc_exit(): never {
      throw new Exit();
    },
  };

  function* spans(vectors: number, count: number): Generator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      const at = vectors + 8 * index;
      yield bytesAt(view().getUint32(at, true), view().getUint32(at + 4, true));
    }
  }

  return {
    imports: { wasi_snapshot_preview1: calls },
    written(name) {
      const file = files.get(name);
      return file?.bytes.subarray(0, file.length);
    },
    run({ exports }) {
      if (!isMemory(exports['memory'])) throw new Error('the program has no memory');
      memory = exports['memory'];
      const { _start: start } = exports;
      if (typeof start !== 'function') throw new Error('the program has no start');
      try {
        Reflect.apply(start, undefined, []);
      } catch (error) {
        if (!(error instanceof Exit)) throw error;
      }
    },
  };
}

function append(file: OpenFile, part: Uint8Array): void {
  const end = file.position + part.length;
  if (end > file.bytes.length) {
    const larger = new Uint8Array(Math.max(end, file.bytes.length * 2));
    larger.set(file.bytes.subarray(0, file.length));
    file.bytes = larger;
  }
  file.bytes.set(part, file.position);
  file.position = end;
  file.length = Math.max(file.length, end);
}
