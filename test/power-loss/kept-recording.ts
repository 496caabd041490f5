import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Recording, Sent } from './recording.ts'

const FILE = 'recording'

/** Keeps a recording in a new folder: another one would have other disk operations. Returns the folder. */
export function keepRecording(runs: readonly Recording[], sent: Sent): string {
  const folder = mkdtempSync(join(tmpdir(), 'chat-power-loss-'))
  writeFileSync(join(folder, FILE), serialize({ runs, sent }), { mode: 0o600 })
  return folder
}

/** Returns a kept recording. */
export function keptRecording(folder: string): { runs: Recording[]; sent: Sent } {
  const { runs, sent } = deserialize(readFileSync(join(folder, FILE)))
  return { runs, sent }
}
