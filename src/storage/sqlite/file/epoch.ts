import { randomInt } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/**
 * The epoch of a database: a random number in its header, SQLite's `user_version`, which each start renews. The state
 * file beside it has the same one, so that a database put in the place of another is noticed. 0 is none: a new
 * database, or one of an earlier version.
 */
export const newEpoch = (): number => randomInt(1, 2 ** 31)

/** Where SQLite's file format has `user_version`, in 4 bytes. */
const OFFSET = 60
const PAGE_HEADER = 100
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** The epoch in the file itself, without what is in the log. Must not be called for a file that this process has open. */
export const epochIn = (file: string): number => withFile(file, 'r', (read) => read(OFFSET, 4)?.readInt32BE() ?? 0)

/** The epoch of the last copy of the header in a log; undefined where it has none. */
export function epochInLog(log: string): number | undefined {
  return withFile(log, 'r', (read) => {
    const header = read(0, LOG_HEADER)
    if (!header) return undefined
    const pageSize = header.readUInt32BE(8)
    if (pageSize === 0) return undefined
    const salts = header.subarray(16, 24)
    let epoch: number | undefined
    // Frames with other salts are left from before the log was begun again.
    for (let at = LOG_HEADER; ; at += FRAME_HEADER + pageSize) {
      const frame = read(at, FRAME_HEADER + PAGE_HEADER)
      if (!frame?.subarray(8, 16).equals(salts)) return epoch
      if (frame.readUInt32BE(0) === 1) epoch = frame.readInt32BE(FRAME_HEADER + OFFSET)
    }
  })
}

/** Gives a copy that nobody has open an epoch of its own. */
export function stampEpoch(copy: string): void {
  const handle = openSync(copy, 'r+')
  try {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(newEpoch())
    writeSync(handle, bytes, 0, 4, OFFSET)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function withFile<T>(
  path: string,
  flags: 'r',
  use: (read: (at: number, length: number) => Buffer | undefined) => T,
): T {
  const handle = openSync(path, flags)
  try {
    return use((at, length) => {
      const bytes = Buffer.alloc(length)
      return readSync(handle, bytes, 0, length, at) === length ? bytes : undefined
    })
  } finally {
    closeSync(handle)
  }
}
