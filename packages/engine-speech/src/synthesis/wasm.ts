// The part of WebAssembly that is used here. Its types come with the DOM library, which server packages do not include.
import type { WASI } from '@bjorn3/browser_wasi_shim';

/** A compiled WASI command. */
export interface WasiModule {
  readonly [Symbol.toStringTag]: string;
}

/** Its exports have types only in programs that include the DOM library. */
export type WasiInstance = Parameters<WASI['start']>[0];

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasiModule;
  readonly Instance: new (module: WasiModule, imports: Readonly<Record<string, object>>) => WasiInstance;
};

export function compile(bytes: Uint8Array): WasiModule {
  return new WebAssembly.Module(bytes);
}

export function instantiate(module: WasiModule, imports: Readonly<Record<string, object>>): WasiInstance {
  return new WebAssembly.Instance(module, imports);
}
