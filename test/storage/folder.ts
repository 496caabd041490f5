import { join } from 'node:path'
import { TemporaryFolder } from '../temporary-folder.ts'

/** A temporary folder with the path of a database in it. */
export class Folder extends TemporaryFolder {
  readonly file = join(this.path, 'chat.db')
}
