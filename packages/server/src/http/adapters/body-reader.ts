import type { IncomingMessage } from 'node:http';

/**
 * Calls `receive` with the bytes of a body of `node:http` as they arrive, so that a body in tiny chunks delays no other request: Node parses
 * ten thousand chunks of one byte from one read of a socket (64 KiB), and would read up to 32 times before other connections have their turn.
 * Here the chunks of one read are passed on together, and the next read is in the next turn of the event loop. Returns a function that stops
 * it.
 */
export function receiveBody(request: IncomingMessage, receive: (bytes: Uint8Array) => void): () => void {
  const { socket } = request;
  let isStopped = false;
  let isWaiting = false;
  // Not the request is paused: the parser would pass on what the socket reads. Node resumes the socket whenever it asks for more of the body.
  const pauseSocket = (): void => void socket.pause();
  function onReadable(): void {
    if (isWaiting) return;
    isWaiting = true;
    if (!request.complete) {
      pauseSocket();
      socket.on('resume', pauseSocket);
    }
    setImmediate(onNextTurn);
  }
  function onNextTurn(): void {
    isWaiting = false;
    socket.off('resume', pauseSocket);
    socket.resume();
    if (isStopped) return;
    const bytes: unknown = request.read();
    if (bytes instanceof Uint8Array) receive(bytes);
  }
  request.on('readable', onReadable);
  return () => {
    isStopped = true;
    request.off('readable', onReadable);
  };
}
