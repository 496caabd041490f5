import type { Archive } from '../archive/archive.ts'
import type { Placed, SourceName } from '../format.ts'

export interface ReadOptions {
  /** How messages outside of threads become topics. */
  topics: Topics
}

/** One topic for each channel, one for each day, or a new one after this many seconds of silence. */
export type Topics = 'one' | 'by-day' | { gap: number }

/** A source: how it is recognized, and how it becomes records. It knows no database. */
export interface Reader {
  name: SourceName
  recognizes(archive: Archive): boolean | Promise<boolean>
  /**
   * The records of an archive, each time the same. A record comes after those that it refers to; messages may be in any order.
   *
   * @throws Refused
   */
  read(archive: Archive, options: ReadOptions): AsyncIterable<Placed>
}

/** The record of something that isn't imported. */
export const leftOut = (kind: string, reason: string, place: string, count = 1): Placed => ({
  record: { type: 'left_out', kind, reason, place, count },
  place,
})
