import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { fine, wrong } from './check.ts';
import type { Check } from './check.ts';

const PATIENCE_MS = 5000;

/** Whether the name is known, and whether anybody listens there. */
export async function checkReach(baseURL: string, signal: AbortSignal): Promise<Check> {
  const { hostname, port, protocol } = new URL(baseURL);
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port);
  let address: string;
  try {
    ({ address } = await lookup(host));
  } catch (error) {
    const code = codeOf(error);
    const mend = code === 'EAI_AGAIN' ? 'Is this machine online?' : 'Look for a typing error in the address.';
    return wrong('network', `nobody knows the name ${host} (${code})`, mend);
  }
  const code = await knock(address, at, signal);
  if (code === undefined) return fine('network', `${host} listens at port ${at}`);
  return wrong('network', reasonOf(code, host, at), mendOf(code, at));
}

function knock(host: string, port: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const end = (code: string | undefined): void => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(PATIENCE_MS, () => end('ETIMEDOUT'));
    socket.once('connect', () => end(undefined));
    socket.once('error', (error) => end(codeOf(error)));
  });
}

function reasonOf(code: string, host: string, port: number): string {
  if (code === 'ECONNREFUSED') return `${host} answers, and nobody listens at port ${port}`;
  if (code === 'ETIMEDOUT') return `${host}:${port} does not answer`;
  return `${host}:${port} cannot be reached (${code})`;
}

function mendOf(code: string, port: number): string {
  if (code === 'ECONNREFUSED') {
    return port === 8787 ? 'Start the server: modelwire serve' : 'Is the server running, and is this its port?';
  }
  return code === 'ETIMEDOUT'
    ? 'A firewall, a VPN that is off, or a wrong address.'
    : 'Look at the network of this machine.';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
