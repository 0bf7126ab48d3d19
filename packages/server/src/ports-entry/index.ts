// Until the adapters of this repository import @modelwire/ports.
export * from '@modelwire/ports';
