import { type Db, readBlob } from '../../storage/index.ts'
import type { ServedFile } from '../kernel/answers.ts'

/** A blob, as a query that joins it selects it. */
interface StoredBlob {
  id: number
  /** Bytes. */
  size: number
  content_type: string
}

/** A served file whose bytes are a blob's, read in pieces while they are sent. */
export const servedBlob = (
  db: Db,
  { id, size, content_type }: StoredBlob,
  about: Omit<ServedFile, 'content_type' | 'size' | 'read' | 'ownPieces'>,
): ServedFile => ({
  ...about,
  content_type,
  size,
  read: (start, end) => readBlob(db, id, start, end),
  ownPieces: true,
})
