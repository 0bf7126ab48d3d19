import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeListener } from '@modelwire/server/node';
import { refuseOnSocket, refuseRequest } from './http-parser-errors.ts';

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Refuses requests by their host: with a 403, or a 400 if it is missing, malformed or sent twice. */
export interface HostCheck {
  listener(next: NodeListener): NodeListener;
  upgradeListener(next: UpgradeListener): UpgradeListener;
}

/**
 * Protects a server that listens on a loopback address from DNS rebinding: a web page whose host name resolves to that address is of the same
 * origin as the server, and could read everything that needs no key. Such requests name the host of the page; those of this machine name
 * `localhost`, an IP address or one of `allowedHosts`. Servers on other addresses are reachable by any name.
 */
export function createHostCheck({
  host,
  allowedHosts = [],
}: {
  readonly host: string;
  readonly allowedHosts?: readonly string[] | undefined;
}): HostCheck {
  const allowed = new Set([host, ...allowedHosts].map((name) => name.toLowerCase()));
  const checks = isLoopback(host) && !allowed.has('*');
  function refusalOf({ headers, rawHeaders, httpVersion }: IncomingMessage): 400 | 403 | undefined {
    // Node keeps the first of several; a proxy may have read another.
    if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1) return 400;
    // Probes of load balancers are requests of HTTP/1.0 without a host.
    if (headers.host === undefined) return httpVersion === '1.0' ? undefined : 400;
    if (!/^[\w.:[\]-]+$/.test(headers.host)) return 400;
    return !checks || isAllowed(hostnameOf(headers.host), allowed) ? undefined : 403;
  }
  return {
    listener: (next) => (request, response) => {
      const status = refusalOf(request);
      if (status !== undefined) refuseRequest(response, status);
      else next(request, response);
    },
    upgradeListener: (next) => (request, socket, head) => {
      const status = refusalOf(request);
      if (status !== undefined) refuseOnSocket(socket, status);
      else next(request, socket, head);
    },
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** The name or address in a header `Host`, without the port and the brackets of an IPv6 address. */
function hostnameOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function isAllowed(name: string, allowed: ReadonlySet<string>): boolean {
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || allowed.has(name);
}
