import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import type { Room } from './room.ts'

/** A compressed archive that grows on disk. None of its files is in memory as a whole. */
export interface Archive {
  addText(name: string, text: string): Promise<void>
  addFile(name: string, path: string): Promise<void>
  /** @param size - total bytes of the pieces, which an archive stores before them */
  addPieces(name: string, size: number, pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Resolves when everything is written. */
  finish(): Promise<void>
  /** Stops halfway. Resolves when nothing more is written. */
  abandon(error: unknown): Promise<void>
}

export interface NewArchive {
  /** The folder of everything in it. */
  folder: string
  /** The files' time of modification. */
  mtime: Date
  room: Room
  /** Cancels it. */
  signal?: AbortSignal | undefined
}

/** Starts a new archive. */
export function createArchive(path: string, { folder, mtime, room, signal }: NewArchive): Archive {
  const { readable, controller } = createTarPacker()
  const written = pipeline(readable, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  // A failure here is thrown when the next piece is added, and at the end.
  written.catch(() => {})

  async function addPieces(name: string, size: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const writer = controller.add({ name: `${folder}/${name}`, size, mtime }).getWriter()
    for await (const piece of pieces) {
      signal?.throwIfAborted()
      room(piece.length)
      await writer.write(piece)
    }
    await writer.close()
  }

  return {
    addPieces,
    addText(name, text) {
      const bytes = Buffer.from(text)
      return addPieces(name, bytes.length, only(bytes))
    },
    addFile: async (name, file) => addPieces(name, (await stat(file)).size, createReadStream(file)),
    async finish() {
      controller.finalize()
      await written
    },
    async abandon(error) {
      controller.error(error)
      await written.catch(() => {})
    },
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
