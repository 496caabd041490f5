import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Dice } from '../random.ts'
import type { Recording, Step } from './recording.ts'

/** What is on a sector is written whole or not at all. */
const SECTOR = 512

type Change = { offset: number; data: Buffer } | { size: number }

/** A file's content on disk, and the changes since its last sync. */
export interface File {
  bytes: Buffer
  length: number
  pending: Change[]
}

interface NameChange {
  path: string
  /** undefined: the name goes. */
  file: number | undefined
}

/**
 * What the disk loses of the unsynced changes. A killed process loses nothing. A `prefix` keeps the first changes, and
 * the next one is torn. `some` loses or tears any of them.
 */
export type Loss = 'nothing' | 'unsynced' | 'prefix' | 'all but one' | 'some'

/** A disk that a recording is played back on. What was not synced may be lost, also in another order than it was written. */
export class Disk {
  readonly #files = new Map<number, File>()
  #names = new Map<string, number>()
  #pendingNames: NameChange[] = []
  readonly #before: Recording['before']

  constructor(before: Recording['before']) {
    this.#before = before
    // All that was there, also what the process has not opened yet: such files have numbers of our own.
    for (const [i, [path, bytes]] of [...before].entries()) {
      this.#files.set(-1 - i, newFile(bytes))
      this.#names.set(path, -1 - i)
    }
  }

  play(step: Step): void {
    if (step.what === 'exists') {
      this.#files.set(step.file, newFile(this.#before.get(step.path)))
      this.#names.set(step.path, step.file)
    } else if (step.what === 'create') {
      this.#files.set(step.file, newFile())
      this.#pendingNames.push(step)
    } else if (step.what === 'rename') {
      const from = this.#nameOf(step.file)
      this.#pendingNames.push({ path: from, file: undefined }, step)
    } else if (step.what === 'unlink') this.#pendingNames.push({ path: step.path, file: undefined })
    else if (step.what === 'sync folder') {
      this.#names = this.#namesAfter(this.#pendingNames.length)
      this.#pendingNames = []
    } else if (step.what === 'write') this.#files.get(step.file)!.pending.push(step)
    else if (step.what === 'truncate') this.#files.get(step.file)!.pending.push(step)
    else if (step.what === 'sync') {
      const file = this.#files.get(step.file)!
      for (const change of file.pending.splice(0)) apply(inMemory(file), change)
    }
  }

  /** How many changes are not synced: of files, and of names. */
  get pending(): { changes: number; names: number } {
    const changes = [...this.#files.values()].reduce((sum, { pending }) => sum + pending.length, 0)
    return { changes, names: this.#pendingNames.length }
  }

  /** Writes into a folder what a machine that stops now may find when it starts again. */
  image(folder: string, loss: Loss, roll: Dice): void {
    const names = this.#pendingNames.length
    const chosen = new Map<File, number>()
    this.imageOf(folder, loss === 'unsynced' ? 0 : loss === 'nothing' ? names : roll(names + 1), (file, i) => {
      if (!chosen.has(file)) chosen.set(file, roll(file.pending.length + 1))
      const fate = fateOf(loss, i, chosen.get(file)!, roll)
      return fate === 'torn' ? () => roll(2) === 0 : fate === 'whole'
    })
  }

  /**
   * The same with the fate of each change: it is written, or absent, or torn, which a function of its sectors decides.
   *
   * @param names - how many of the changed names are kept
   * @param fateAt - gets the file, the change's place in it, and its place among all unsynced changes
   */
  imageOf(folder: string, names: number, fateAt: (file: File, i: number, overall: number) => boolean | Torn): void {
    const firstOf = new Map<File, number>()
    let count = 0
    for (const file of this.#files.values()) {
      firstOf.set(file, count)
      count += file.pending.length
    }
    for (const [path, id] of this.#namesAfter(names)) {
      const file = this.#files.get(id)!
      const handle = openSync(join(folder, basename(path)), 'w', 0o600)
      writeSync(handle, file.bytes, 0, file.length, 0)
      for (const [i, change] of file.pending.entries()) {
        const fate = fateAt(file, i, firstOf.get(file)! + i)
        if (fate === true) apply(onDisk(handle), change)
        if (typeof fate === 'function') applyTorn(onDisk(handle), change, fate)
      }
      closeSync(handle)
    }
  }

  #nameOf(file: number): string {
    for (const [path, id] of this.#namesAfter(this.#pendingNames.length)) if (id === file) return path
    throw new Error(`file ${file} has no name`)
  }

  /** Names as the journal of a file system keeps them: the first of the changes, in their order. */
  #namesAfter(count: number): Map<string, number> {
    const names = new Map(this.#names)
    for (const { path, file } of this.#pendingNames.slice(0, count)) {
      if (file === undefined) names.delete(path)
      else names.set(path, file)
    }
    return names
  }
}

const newFile = (bytes: Buffer = Buffer.alloc(0)): File => ({
  bytes: Buffer.from(bytes),
  length: bytes.length,
  pending: [],
})

/** Room for a file to grow into without being copied for every page. */
function ensure(file: File, length: number): void {
  if (length > file.bytes.length) file.bytes = Buffer.concat([file.bytes], Math.max(length, 2 * file.bytes.length))
}

/** What changes are applied to. */
interface Target {
  write(offset: number, data: Buffer): void
  truncate(size: number): void
}

const inMemory = (file: File): Target => ({
  write(offset, data) {
    ensure(file, offset + data.length)
    data.copy(file.bytes, offset)
    file.length = Math.max(file.length, offset + data.length)
  },
  truncate(size) {
    ensure(file, size)
    if (size < file.length) file.bytes.fill(0, size, file.length)
    file.length = size
  },
})

const onDisk = (handle: number): Target => ({
  write: (offset, data) => void writeSync(handle, data, 0, data.length, offset),
  truncate: (size) => ftruncateSync(handle, size),
})

type Fate = 'whole' | 'absent' | 'torn'

/** What becomes of an unsynced change of a file: of the one at place `i`, where `chosen` is the place of the loss. */
function fateOf(loss: Loss, i: number, chosen: number, roll: Dice): Fate {
  if (loss === 'nothing') return 'whole'
  if (loss === 'unsynced') return 'absent'
  if (loss === 'prefix') return i < chosen ? 'whole' : i === chosen ? 'torn' : 'absent'
  if (loss === 'all but one') return i === chosen ? 'absent' : 'whole'
  return (['whole', 'absent', 'torn'] as const)[roll(3)]!
}

function apply(target: Target, change: Change): void {
  if ('size' in change) target.truncate(change.size)
  else target.write(change.offset, change.data)
}

/** Tells of each sector of a torn change, from 0, whether it is the new one. */
export type Torn = (sector: number) => boolean

/** Of each sector of the disk, the old or the new. A size changes or doesn't. */
function applyTorn(target: Target, change: Change, isNew: Torn): void {
  if ('size' in change) {
    if (isNew(0)) target.truncate(change.size)
    return
  }
  const { offset, data } = change
  for (let at = offset, sector = 0; at < offset + data.length; sector++) {
    const next = Math.min(offset + data.length, (Math.floor(at / SECTOR) + 1) * SECTOR)
    if (isNew(sector)) target.write(at, data.subarray(at - offset, next - offset))
    at = next
  }
}
