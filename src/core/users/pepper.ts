import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Random } from '../random.ts'

const LENGTH = 32

/** The file that must be kept with the database, and apart from its copies. */
export const pepperFile = (file: string): string => `${file}.secret`

/**
 * A stolen database alone opens no account: API keys are stored under this secret, which has a file of its own.
 * Throws when the file is damaged; `onMade` hears of a new secret, with which no key made before works.
 */
export function loadPepper(file: string, random: Random, onMade: (path: string) => void): Uint8Array {
  if (file === ':memory:') return random.bytes(LENGTH)
  const path = pepperFile(file)
  if (existsSync(path)) {
    const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
    if (secret.length !== LENGTH) throw new Error(`${path} is damaged: it should hold ${LENGTH * 2} hex digits`)
    return secret
  }
  const secret = Buffer.from(random.bytes(LENGTH))
  writeWhole(path, `${secret.toString('hex')}\n`)
  onMade(path)
  return secret
}

/** The file is there with all of its text on disk, or not at all, whenever the machine stops. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
