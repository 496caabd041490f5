import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { WritableOptions } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, type ZlibOptions } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import type { Room } from './room.ts'

/** Bytes of a file that are read together. */
const PIECE_BYTES = 256 * 1024
/**
 * Few large steps, because the event loop has to start each. With the smallest mark, a piece has left the stream's buffer
 * before the next one is asked for.
 */
const GZIP: ZlibOptions & WritableOptions = { chunkSize: 128 * 1024, highWaterMark: 1 }

/** A compressed archive that grows on disk. None of its files is in memory as a whole. */
export interface Archive {
  addText(name: string, text: string): Promise<void>
  addFile(name: string, path: string): Promise<void>
  /**
   * Each piece is compressed before the next one is taken, and its memory may be used again then.
   *
   * @param size - total bytes of the pieces, which an archive stores before them
   */
  addPieces(name: string, size: number, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
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

/** A piece that isn't compressed yet. */
interface Waiting {
  piece: Uint8Array
  resolve(): void
  reject(error: Error): void
}

/** Starts a new archive. */
export function createArchive(path: string, { folder, mtime, room, signal }: NewArchive): Archive {
  const { readable, controller } = createTarPacker()
  let waiting: Waiting | undefined
  let failure: Error | undefined

  async function* packed(): AsyncGenerator<Uint8Array> {
    for await (const piece of readable) {
      yield piece
      if (piece === waiting?.piece) waiting.resolve()
    }
  }
  const gzip = createGzip(GZIP)
  const written = pipeline(packed(), gzip, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  // The next call that adds a piece or ends the archive throws it.
  written.catch((error: Error) => {
    failure = error
    waiting?.reject(error)
  })

  async function addPieces(
    name: string,
    size: number,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const writer = controller.add({ name: `${folder}/${name}`, size, mtime }).getWriter()
    for await (const piece of pieces) {
      signal?.throwIfAborted()
      if (piece.length === 0) continue
      room(piece.length)
      await new Promise<void>((resolve, reject) => {
        if (failure) return reject(failure)
        waiting = { piece, resolve, reject }
        writer.write(piece).catch(() => {})
      })
    }
    await writer.close()
  }

  return {
    addPieces,
    addText(name, text) {
      const bytes = Buffer.from(text)
      return addPieces(name, bytes.length, [bytes])
    },
    addFile: async (name, file) => addPieces(name, (await stat(file)).size, piecesOf(file)),
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

/** Reads a file into the same memory again and again. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    const memory = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(memory)
      if (bytesRead === 0) return
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
