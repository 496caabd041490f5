import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Only Linux has it. */
const MEMORY = '/dev/shm'
/** More than all tests need at a time; containers often have 64 MiB. */
const ROOM = 2 * 1024 ** 3

/** Creates a folder in memory for the files of tests; undefined where there is no room. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < ROOM) return undefined
    const folder = mkdtempSync(join(MEMORY, 'chat-server-tests-'))
    // Tests that run as another user come through here, as through /tmp.
    chmodSync(folder, 0o711)
    return folder
  } catch {
    return undefined
  }
}
