import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder for one test, removed afterwards. */
export class TemporaryFolder implements Disposable {
  readonly path: string
  constructor(parent = tmpdir()) {
    mkdirSync(parent, { recursive: true })
    this.path = mkdtempSync(join(parent, 'chat-server-test-'))
  }
  [Symbol.dispose]() {
    rmSync(this.path, { recursive: true, force: true })
  }
}
