import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder for one test, removed afterwards. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'chat-server-storage-'))
  readonly file = join(this.path, 'chat.db');
  [Symbol.dispose]() {
    rmSync(this.path, { recursive: true, force: true })
  }
}
