import { MessageChannel } from 'node:worker_threads'

/** A closed port: what is transferred to it is freed immediately. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Frees the memory of bytes that won't be read again, which are empty afterwards. Otherwise they would stay until the
 * next garbage collection, which V8 starts only after up to 32 MiB of new buffers. Small buffers may be parts of
 * shared ones, and are left alone.
 * @example
 * socket.write(piece, () => freeBytes(piece))
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) nowhere.postMessage(undefined, [buffer])
}
