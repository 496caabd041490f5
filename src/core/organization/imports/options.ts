import type { SourceName } from '../../../import/format.ts'
import type { Topics } from '../../../import/readers/reader.ts'
import type { Mapping, PersonDecision } from './decide-people.ts'
import type { ImportReport } from './report.ts'

export interface ImportOptions {
  /** A file or a folder, on the machine of the server. */
  file: string
  /** The name that lists of imports show; the file's own unless given. */
  name?: string | undefined
  /** The source; detected from the content unless given. */
  from?: SourceName | undefined
  /** Addresses by the source's id, address or name of a person; `stub` and `skip` are no addresses. */
  mapping?: Mapping | undefined
  /** Imports into an organization that already has data. */
  into?: boolean | undefined
  /** Only reads, and reports what would be imported. */
  dryRun?: boolean | undefined
  topics?: Topics | undefined
  /** Downloads files if the archive has only their addresses, into `downloads`. */
  downloadFiles?: boolean | undefined
  /** A folder beside the archive unless given. */
  downloads?: string | undefined
  /** Stops the import, which can resume. */
  signal?: AbortSignal | undefined
  /** Called for each person of the source, in its order. */
  onPerson?: ((person: PersonDecision) => void) | undefined
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** The progress of an import. */
export interface ImportProgress {
  step: 'read' | 'downloaded' | 'imported' | 'finishing'
  done: number
  /** Undefined until it is known. */
  total?: number
}

export interface ImportResult {
  /** Null for a dry run. */
  import_id: number | null
  messages: number
  resumed: boolean
  report: ImportReport
}
