import type { Archive } from './archive/archive.ts'
import { type SourceName, sources } from './format.ts'
import { readers } from './readers/all.ts'
import type { Reader } from './readers/reader.ts'
import { Refused } from './refused.ts'

/** The reader for an archive: the requested one, or the one that recognizes its content. */
export async function readerFor(archive: Archive, from?: SourceName): Promise<Reader> {
  for (const reader of readers) {
    if (from !== undefined ? reader.name === from : await reader.recognizes(archive)) {
      if (from === undefined || (await reader.recognizes(archive))) return reader
      throw new Refused(`This is not an export from ${from}, or it is incomplete.`)
    }
  }
  throw new Refused(`Unrecognized file. Supported are exports from ${sources.join(', ')}.`)
}
