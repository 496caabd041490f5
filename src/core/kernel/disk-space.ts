import { spaceOnDisk } from '../../storage/index.ts'
import type { Chat } from './chat.ts'
import { ChatError } from './errors.ts'
import { defineService } from './service.ts'

const MIB = 1024 * 1024
/** How often it is looked at how much is free. */
const LOOK_MS = 5000
/** The last quarter of the reserve is for deletions. */
const LAST_PART = 4
/** Space is no longer low when so many times the reserve is free. */
const RECOVERED = 2

export type DiskState = 'enough' | 'low' | 'full'

/** How much space the database's disk has left. Files leave a reserve on it, and messages a part of that, so that deleting works. */
export interface DiskSpace {
  /** As it was some seconds ago: `low` takes messages and no files, `full` takes neither. */
  readonly state: DiskState
  /** Throws STORAGE_FULL where a file of so many bytes would not leave the reserve. */
  requireRoomForFile(bytes: number): void
  /** Throws STORAGE_FULL where only deletions are possible. */
  requireRoomForMessage(): void
  /** Whether a file of so many bytes in this folder would leave the reserve. */
  hasRoomIn(folder: string, bytes: number): boolean
  stop(): void
}

export const diskSpaceOf = defineService<DiskSpace>('disk space')

/** `onLow` is called when space has become low, and again only after it had recovered. */
export function watchDiskSpace(
  { clock, options: { reserveMib } }: Pick<Chat, 'clock' | 'options'>,
  file: string,
  onLow: (freeMib: number) => void,
  freeBytes: (file: string) => number = spaceOnDisk,
): DiskSpace {
  const reserve = reserveMib * MIB
  const stateOf = (free: number): DiskState =>
    free >= reserve ? 'enough' : free >= reserve / LAST_PART ? 'low' : 'full'
  let state = stateOf(freeBytes(file))
  // A server that starts again and again says so in its log, and not in a message each time.
  let isKnown = state !== 'enough'
  let cancel = () => {}
  const look = () => {
    cancel = clock.after(LOOK_MS, look)
    const free = measured()
    if (free === undefined) return
    state = stateOf(free)
    if (free >= RECOVERED * reserve) isKnown = false
    if (state !== 'enough' && !isKnown) {
      isKnown = true
      onLow(Math.floor(free / MIB))
    }
  }
  /** Undefined while the folder can't be reached, such as during a remount; what was known stays in force. */
  const measured = (): number | undefined => {
    try {
      return freeBytes(file)
    } catch {
      return undefined
    }
  }
  look()
  return {
    get state() {
      return state
    },
    requireRoomForFile(bytes) {
      if (freeBytes(file) - bytes >= reserve) return
      throw full("The server's disk is almost full, so files can't be uploaded. Delete files, or ask an administrator.")
    },
    requireRoomForMessage() {
      if (state !== 'full') return
      throw full("The server's disk is full, so messages can't be sent. Deleting messages and files still works.")
    },
    hasRoomIn: (folder, bytes) => freeBytes(folder) - bytes >= reserve,
    stop: () => cancel(),
  }
}

const full = (message: string): ChatError => new ChatError('STORAGE_FULL', message)
