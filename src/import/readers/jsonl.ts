import { jsonLines } from '../archive/json.ts'
import type { Placed } from '../format.ts'
import { FORMAT } from '../format.ts'
import { Refused } from '../refused.ts'
import type { Reader } from './reader.ts'

const linesOf = (names: readonly string[]): string[] => names.filter((name) => /^[^/]+\.(jsonl|ndjson)$/.test(name))

/**
 * The neutral format itself, as `export --format jsonl` writes it. Its records refer to files in the folder beside it.
 */
export const jsonl: Reader = {
  name: 'jsonl',
  async recognizes(archive) {
    const [first] = linesOf(archive.names)
    if (first === undefined) return false
    for await (const { value } of jsonLines(archive, first)) return value?.format === FORMAT
    return false
  },
  async *read(archive) {
    for (const name of linesOf(archive.names)) {
      let isFirst = true
      for await (const { value, line } of jsonLines(archive, name)) {
        if (typeof value !== 'object' || value === null) throw new Refused(`Line ${line} of ${name} is not an object.`)
        if (isFirst && value.type !== 'header') throw new Refused(`${name} doesn't start with a header.`)
        isFirst = false
        yield { record: value, place: `${name}:${line}` } satisfies Placed
      }
    }
  },
}
