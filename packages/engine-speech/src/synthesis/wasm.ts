// The part of WebAssembly that is used here. Its types come with the DOM library, which server packages do not include.

/** A compiled WASI command. */
export interface WasiModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasiInstance {
  readonly exports: { readonly memory: object; readonly _start: () => unknown };
}

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
