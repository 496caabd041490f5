import { MessageChannel } from 'node:worker_threads'

/** A port that is closed: what is handed over to it is gone at once. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Frees the memory of bytes that nobody is going to read, which are empty afterwards. Without it they would stay until
 * the next garbage collection, and V8 lets up to 32 MiB of new buffers come together before it begins one. Small buffers
 * may be parts of one that others use, and are left alone.
 *
 * @example
 * socket.write(piece, () => freeBytes(piece))
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) nowhere.postMessage(undefined, [buffer])
}
