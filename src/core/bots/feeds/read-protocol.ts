/** What the main thread asks of read-feed-worker.js. Times are in seconds since 1970. */
export type Question =
  | { kind: 'feed'; text: string; url: string }
  | { kind: 'calendar'; text: string; from: number; to: number }

/** An entry of a feed; texts are plain. */
export interface Entry {
  /** What the feed identifies it by. */
  identity: string
  title: string
  link: string | null
  summary: string
}

/** An event of a calendar that begins in the time that was asked for. */
export interface CalendarEvent {
  identity: string
  title: string
  location: string
  link: string | null
  starts_at: number
  isAllDay: boolean
}

export interface Reply {
  /** Oldest first. */
  entries: Entry[]
  events: CalendarEvent[]
}
