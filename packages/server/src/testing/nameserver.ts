import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

export interface Nameserver {
  /** `address:port` */
  readonly nameserver: string;
  /** The number of queries that it received. */
  readonly queries: () => number;
}

const typeA = 1;
const typeAaaa = 28;

/** A DNS server that returns these addresses for each name. Without addresses, it responds that the name does not exist. */
export function nameserver(addresses: { readonly ipv4?: string; readonly ipv6?: Uint8Array }): Promise<Nameserver> {
  return serve((query) => answerTo(query, addresses));
}

/** A DNS server that does not respond. */
export function silentNameserver(): Promise<Nameserver> {
  return serve(() => undefined);
}

async function serve(answer: (query: Buffer) => Buffer | undefined): Promise<Nameserver> {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, { port, address }) => {
    queries++;
    const bytes = answer(query);
    if (bytes) socket.send(bytes, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { nameserver: `127.0.0.1:${socket.address().port}`, queries: () => queries };
}

/** RFC 1035, section 4: the header, the question again, and the answer. */
function answerTo(query: Buffer, { ipv4, ipv6 }: Parameters<typeof nameserver>[0]): Buffer {
  // The name ends with an empty label; type and class follow.
  const end = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(end - 4);
  const bytes =
    type === typeA && ipv4 ? Buffer.from(ipv4.split('.').map(Number)) : type === typeAaaa ? ipv6 : undefined;
  const exists = ipv4 !== undefined || ipv6 !== undefined;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(bytes ? 1 : 0, 6);
  const question = query.subarray(12, end);
  if (!bytes) return Buffer.concat([header, question]);
  const record = Buffer.alloc(12);
  // The name is the one of the question, at byte 12.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([header, question, record, bytes]);
}
