import { spaceOnDisk } from '../../storage/index.ts'
import type { Chat } from './chat.ts'
import { ChatError } from './errors.ts'
import { defineService } from './service.ts'

const MIB = 1024 * 1024
/** How often the free space is checked, in milliseconds. */
const LOOK_MS = 5000
/** The last quarter of the reserve is for deletions. */
const LAST_PART = 4
/** Space is no longer low when this many times the reserve is free. */
const RECOVERED = 2

export type DiskState = 'enough' | 'low' | 'full'

/**
 * The space left on the database's disk. Files leave a reserve, and messages a part of it, so that deleting works.
 */
export interface DiskSpace {
  /** The state some seconds ago: `low` accepts messages and no files, `full` accepts neither. */
  readonly state: DiskState
  /** Throws STORAGE_FULL if a file of this many bytes would not leave the reserve. */
  requireRoomForFile(bytes: number): void
  /** Throws STORAGE_FULL if only deletions are possible. */
  requireRoomForMessage(): void
  /** Returns whether a file of this many bytes in this folder would leave the reserve. */
  hasRoomIn(folder: string, bytes: number): boolean
  stop(): void
}

export const diskSpaceOf = defineService<DiskSpace>('disk space')

/** @param onLow - called when space becomes low, and again only after a recovery */
export function watchDiskSpace(
  { clock, options: { reserveMib } }: Pick<Chat, 'clock' | 'options'>,
  file: string,
  onLow: (freeMib: number) => void,
  freeBytes: (file: string) => number = spaceOnDisk,
): DiskSpace {
  const reserve = reserveMib * MIB
  const stateOf = (free: number): DiskState =>
    free >= reserve ? 'enough' : free >= reserve / LAST_PART ? 'low' : 'full'
  const atStart = freeBytes(file)
  let state = stateOf(atStart)
  // A server that starts repeatedly logs it, but doesn't send a message each time.
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
  /** Undefined while the folder can't be reached, such as during a remount. The last known state then remains. */
  const measured = (): number | undefined => {
    try {
      return freeBytes(file)
    } catch {
      return undefined
    }
  }
  // A database that isn't a file has no disk to watch.
  if (atStart !== Number.POSITIVE_INFINITY) look()
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
