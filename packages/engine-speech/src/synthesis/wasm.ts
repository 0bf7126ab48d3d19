// WebAssembly as far as it is used here: the types come with those of browsers, which servers do not have.

/** A compiled program. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
  readonly Memory: abstract new () => WasmMemory;
};

export function compile(bytes: Uint8Array): WasmModule {
  return new WebAssembly.Module(bytes);
}

export function instantiate(module: WasmModule, imports: WasmImports): WasmInstance {
  return new WebAssembly.Instance(module, imports);
}

export function isMemory(value: unknown): value is WasmMemory {
  return value instanceof WebAssembly.Memory;
}
