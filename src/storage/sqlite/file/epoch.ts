import { randomInt } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/**
 * Returns a new epoch of a database: a random number in its header (SQLite's `user_version`) that each start renews.
 * The state file has the same number, so that a replaced database is noticed. A new database has 0.
 */
export const newEpoch = (): number => randomInt(1, 2 ** 31)

/** The offset of `user_version` (4 bytes) in SQLite's file format. */
const OFFSET = 60
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** Reads the epoch in the file itself, without its log. Must not be called for a file that this process has open. */
export const epochIn = (file: string): number => withFile(file, 'r', (read) => read(OFFSET, 4)?.readInt32BE() ?? 0)

/**
 * Reads the epoch in the last copy of the header in a log; undefined if there is none. As in SQLite, frames count up
 * to the first one that a power failure damaged (https://www.sqlite.org/walformat.html).
 */
export function epochInLog(log: string): number | undefined {
  return withFile(log, 'r', (read) => {
    const header = read(0, LOG_HEADER)
    if (!header) return undefined
    const pageSize = header.readUInt32BE(8)
    const sums = checksums((header.readUInt32BE(0) & 1) === 1)
    sums.add(header.subarray(0, 24))
    if (pageSize === 0 || !sums.match(header.subarray(24))) return undefined
    const salts = header.subarray(16, 24)
    let epoch: number | undefined
    for (let at = LOG_HEADER; ; at += FRAME_HEADER + pageSize) {
      const frame = read(at, FRAME_HEADER + pageSize)
      // Frames with other salts are older than the last restart of the log.
      if (!frame?.subarray(8, 16).equals(salts)) return epoch
      sums.add(frame.subarray(0, 8))
      sums.add(frame.subarray(FRAME_HEADER))
      if (!sums.match(frame.subarray(16, FRAME_HEADER))) return epoch
      if (frame.readUInt32BE(0) === 1) epoch = frame.readInt32BE(FRAME_HEADER + OFFSET)
    }
  })
}

/** Computes the running checksum of a log, over pairs of 32-bit words. */
function checksums(isBigEndian: boolean) {
  let first = 0
  let second = 0
  return {
    add(bytes: Buffer): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      for (let at = 0; at < bytes.length; at += 8) {
        first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0
        second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0
      }
    },
    match: (stored: Buffer): boolean => stored.readUInt32BE(0) === first && stored.readUInt32BE(4) === second,
  }
}

/** Gives a copy that no process has open its own epoch. */
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
