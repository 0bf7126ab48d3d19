import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { failed, ok } from './check.ts';
import type { Check } from './check.ts';

const TIMEOUT_MS = 5000;

/** Checks that the host name resolves and that the port accepts connections. */
export async function checkNetwork(baseURL: string, signal: AbortSignal): Promise<Check> {
  const { hostname, port: explicitPort, protocol } = new URL(baseURL);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(explicitPort === '' ? (protocol === 'https:' ? 443 : 80) : explicitPort);
  let address: string;
  try {
    ({ address } = await lookup(host));
  } catch (error) {
    const code = codeOf(error);
    return failed(
      'network',
      `The host name ${host} cannot be resolved (${code}).`,
      code === 'EAI_AGAIN' ? 'Check the network connection of this machine.' : 'Check the spelling of the base URL.',
    );
  }
  const code = await tryConnect(address, port, signal);
  if (code === undefined) return ok('network', `${host} accepts connections on port ${port}.`);
  return failed('network', messageOf(code, host, port), fixOf(code, port));
}

/** Resolves with the code of the error, or with `undefined` when connected. */
function tryConnect(host: string, port: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const end = (code: string | undefined): void => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(TIMEOUT_MS, () => end('ETIMEDOUT'));
    socket.once('connect', () => end(undefined));
    socket.once('error', (error) => end(codeOf(error)));
  });
}

function messageOf(code: string, host: string, port: number): string {
  if (code === 'ECONNREFUSED') return `${host} refuses connections on port ${port}.`;
  if (code === 'ETIMEDOUT') return `${host}:${port} does not respond.`;
  return `${host}:${port} cannot be reached (${code}).`;
}

function fixOf(code: string, port: number): string {
  if (code === 'ECONNREFUSED') {
    return port === 8787 ? 'Start the server: modelwire serve' : 'Check that the server is running on this port.';
  }
  return code === 'ETIMEDOUT'
    ? 'Check the firewall, the VPN and the base URL.'
    : 'Check the network connection of this machine.';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
