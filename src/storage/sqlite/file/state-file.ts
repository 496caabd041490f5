import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { ownLike, writeAtomically } from '../../atomic-file.ts'

/** The last known state of a database, in a small file beside it that remains after closing. */
export interface FileState {
  /** Possible epochs in the database's header: the current one, and the next one while it is being renewed. */
  epochs: readonly number[]
  /** Whether a process has it open, or ended without closing it. */
  open: boolean
  /** The newest ids stored, by table. */
  newest: Readonly<Record<string, number>>
  /** When the ids were read. */
  at: string
  /** The sentence for the operator if ids may be missing and no gap was left yet. */
  rollback?: string | undefined
  /** Identifies the database file as it was when it was closed. */
  closed?: string | undefined
}

/** One disk sector, which is overwritten completely or not at all. */
const BYTES = 512
const MAX_ROLLBACK = 200

export const stateFile = (file: string): string => `${file}.state`

/** Returns undefined if there is none, and `unreadable` for an empty or damaged one. */
export function readState(file: string): FileState | 'unreadable' | undefined {
  let text: string
  try {
    text = readFileSync(stateFile(file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return 'unreadable'
  }
  try {
    const found = JSON.parse(text) as Partial<FileState> | null
    const { epochs, open, newest, at, rollback, closed } = found ?? {}
    const isWhole = Array.isArray(epochs) && typeof open === 'boolean' && typeof newest === 'object' && newest !== null
    return isWhole && typeof at === 'string' ? { epochs, open, newest, at, rollback, closed } : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

const textOf = ({ rollback, ...state }: FileState): string =>
  `${JSON.stringify({ ...state, rollback: rollback?.slice(0, MAX_ROLLBACK) }).padEnd(BYTES - 1)}\n`

/** Writes the state and waits for the disk. */
export function writeState(file: string, state: FileState): void {
  writeAtomically(stateFile(file), textOf(state))
  ownLike(stateFile(file), file)
}

/** Overwrites the state without waiting for the disk. A power failure may undo it. */
export function noteState(file: string, state: FileState): void {
  let handle: number
  try {
    handle = openSync(stateFile(file), 'r+')
  } catch {
    // The file was removed.
    writeState(file, state)
    return
  }
  try {
    writeSync(handle, textOf(state), 0)
  } finally {
    closeSync(handle)
  }
}

/** Gives a restored database the state of its draft, whose ids already leave a gap. */
export function moveState(draft: string, file: string): void {
  const state = readState(draft)
  if (typeof state === 'object') writeState(file, { ...state, rollback: undefined })
  rmSync(stateFile(draft), { force: true })
}
