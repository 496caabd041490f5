import { dirname } from 'node:path'
import type { Chat } from '../../kernel/chat.ts'
import { diskSpaceOf } from '../../kernel/disk-space.ts'
import { ChatError } from '../../kernel/errors.ts'

const MIB = 1024 * 1024
/** Bytes between two looks at the free space. */
const LOOK_BYTES = 4 * MIB

/** Call it before each write. Throws STORAGE_FULL if the file would take from the space that must stay free. */
export type Room = (bytes: number) => void

/** Watches the disk of a file that grows. Its temporary files are on the same disk. */
export function roomBeside(chat: Chat, path: string): Room {
  let unseen = LOOK_BYTES
  return (bytes) => {
    unseen += bytes
    if (unseen < LOOK_BYTES) return
    unseen = 0
    if (diskSpaceOf(chat).hasRoomIn(dirname(path), Math.max(bytes, LOOK_BYTES))) return
    const reserve = `${chat.options.reserveMib} MiB must stay free`
    throw new ChatError('STORAGE_FULL', `Not enough disk space for ${path}. ${reserve}.`)
  }
}
