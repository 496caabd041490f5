import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test, gone afterwards. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'chat-server-test-'));
  [Symbol.dispose]() {
    rmSync(this.path, { recursive: true, force: true })
  }
}
