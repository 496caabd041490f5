import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where temporary folders are: in memory if test/run.js found room there, since a test of a database spends much of its time waiting
 * for the disk. Tests that kill processes use `tmpdir()`, because a wait for the disk is one of the moments to kill at.
 */
const usualParent = process.env.TEST_FOLDERS ?? tmpdir()

/** A temporary folder for one test, removed afterwards. */
export class TemporaryFolder implements Disposable {
  readonly path: string
  constructor(parent = usualParent) {
    mkdirSync(parent, { recursive: true })
    this.path = mkdtempSync(join(parent, 'chat-server-test-'))
  }
  [Symbol.dispose]() {
    rmSync(this.path, { recursive: true, force: true })
  }
}
