import type { Disk, Torn } from './disk.ts'

/** Up to so many unsynced changes, every choice of them is tried: in any order, a disk writes one of these sets. */
const MOST_CHOSEN = 8
/** Places where a page is torn: so many of its eight sectors are new. */
const TORN_AT = [1, 4, 7]

/** What a disk keeps of its unsynced changes: the fate of each by its place among them, and how many changed names. */
export interface Kept {
  what: string
  names: number
  fate: (overall: number) => boolean | Torn
}

/**
 * Yields everything that a power failure may leave between two syncs. Of up to eight unsynced changes, that is every
 * subset. Of more, it is every prefix, all but each one, and each one alone. The change after each prefix is also torn.
 */
export function* everyLoss({ pending: { changes, names } }: Pick<Disk, 'pending'>): Generator<Kept> {
  for (let kept = 0; kept <= names; kept++) {
    if (changes <= MOST_CHOSEN) {
      for (let set = 0; set < 2 ** changes; set++)
        yield { what: `changes ${set.toString(2)} of ${changes}`, names: kept, fate: (i) => ((set >> i) & 1) === 1 }
    } else {
      for (let end = 0; end <= changes; end++)
        yield { what: `the first ${end} of ${changes}`, names: kept, fate: (i) => i < end }
      for (let one = 0; one < changes; one++) {
        yield { what: `all but ${one} of ${changes}`, names: kept, fate: (i) => i !== one }
        yield { what: `only ${one} of ${changes}`, names: kept, fate: (i) => i === one }
      }
    }
    for (let end = 0; end < changes; end++) {
      for (const sectors of TORN_AT) {
        const torn: Torn = (sector) => sector < sectors
        yield {
          what: `the first ${end} and ${sectors} sectors`,
          names: kept,
          fate: (i) => (i === end ? torn : i < end),
        }
      }
    }
  }
}
