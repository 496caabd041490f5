import * as v from 'valibot'

/** A file to be sent, read in pieces while it is sent. */
export interface ServedFile {
  content_type: string
  /** Bytes. */
  size: number
  /** The ETag: differs whenever the bytes differ. */
  version: string
  /** The encoding of the bytes, for a file that exists in several. The version then differs between them. */
  content_encoding?: string
  /**
   * Caching: by everyone forever because the bytes at this address never change, by everyone for a day, or only by
   * this reader.
   */
  cache: 'forever' | 'day' | 'private'
  /** Which sites may embed it: all (`everywhere`), or only our own. */
  embed?: 'everywhere' | 'same-origin'
  /** Makes browsers save it under this name instead of showing it. */
  download_as?: string
  /** Reads the bytes from `start` up to but not including `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  /** Whether only the reader uses the pieces, so that it may free their memory after sending. */
  ownPieces?: boolean
}

/** Events for one reader, in batches requested by the transport. */
export interface EventFeed {
  readonly queue_id: string
  /** Id of the last event of the last batch, or where the feed starts. */
  readonly position: number
  /** Returns the next events as JSON, waiting until there are some; undefined at the end of the feed. */
  next(): Promise<readonly FeedEvent[] | undefined>
}

export interface FeedEvent {
  readonly id: number
  readonly type: string
  readonly json: string
}

/** Redirects the client. */
export interface Redirect {
  /** A path on this server, or an entire URL that the action has checked. */
  location: string
}

/** A response of a protocol that communicates in headers. */
export interface ProtocolAnswer {
  /** Done, perhaps with JSON members; created; or without content. */
  outcome: 'json' | 'created' | 'empty'
  /** In lower case. */
  headers: Readonly<Record<string, string>>
  members?: object
}

/** A response of SCIM: a document, or none. */
export interface ScimAnswer {
  document?: object
  created?: boolean
  /** Address of what the document describes. */
  location?: string
  /** ID of the account that was created, for the audit log. */
  id?: number
}

/** Schemas of results that are not JSON; their JSON parts are checked. */
export const servedFile = v.custom<ServedFile>((file) => hasMembers(file, 'content_type', 'size', 'version', 'cache'))
export const eventFeed = v.custom<EventFeed>((feed) => hasMembers(feed, 'queue_id', 'position'))
export const redirect = v.custom<Redirect>((target) => hasMembers(target, 'location'))
export const scimAnswer = v.custom<ScimAnswer>((answer) => hasMembers(answer))
export const protocolAnswer = v.custom<ProtocolAnswer>((answer) => hasMembers(answer, 'outcome', 'headers'))

/** Returns whether a value is an object with these members. */
export const hasMembers = (value: unknown, ...names: string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value)

/** A served file whose bytes are in memory. */
export const servedBytes = (
  bytes: Uint8Array,
  about: Pick<ServedFile, 'content_type' | 'content_encoding' | 'version' | 'cache' | 'embed'>,
): ServedFile => ({
  ...about,
  size: bytes.length,
  async *read(start, end) {
    yield bytes.subarray(start, end)
  },
})
