/** Sends one request from a separate thread, as fast as the system accepts it, and reports the answer's first line. */
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Flood {
  readonly port: number;
  readonly head: string;
  /** Sent repeatedly until `length` bytes of body are sent. */
  readonly piece: Uint8Array;
  readonly length: number;
}

const { port, head, piece, length } = workerData as Flood;
const socket = net.connect(port, '127.0.0.1', () => {
  socket.write(head);
  let left = length;
  const send = (): void => {
    while (left > 0) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', send);
  send();
});
socket.once('data', (answer) => {
  parentPort?.postMessage(answer.toString('latin1').split('\r\n', 1)[0]);
  socket.destroy();
});
