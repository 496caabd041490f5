import * as v from 'valibot'
import type { ChatOptions } from './chat.ts'

/** The options of an open chat that limits are taken from. */
export type LimitOptions = Pick<Required<ChatOptions>, 'maxEmojiFileSizeMib' | 'maxFileUploadSizeMib'>

/**
 * What the transport (the HTTP shell) must do for an action. Nothing here changes what the action does, so
 * callers in the same process can ignore it.
 */
export interface Transport {
  /** For an action with an `uploadedFile` or a `fileStream` among its parameters. */
  file?: FileRule
  /** Besides forms and JSON objects of parameters, which every action takes: bodies read as a whole. */
  body?: WholeBody
  /** Parameters that come as request headers: the header of each, in lower case. */
  headers?: Readonly<Record<string, string>>
  /** Where the API key is: with the e-mail address in the Authorization header, or alone in the query as `api_key`. */
  credentials?: 'basic' | 'query'
  /** The rate limit for requests without an account: all requests of an address, its downloads, or none. */
  limit?: 'address' | 'files' | 'none'
  /** The rate limit for accounts, where it is not that of all their requests: files have one without saying so. */
  accountLimit?: 'polls'
  /** Headers of every answer, refusals too, in lower case. */
  answerHeaders?: Readonly<Record<string, string>>
  /**
   * `begin`: the result's `api_key` goes into the cookie of a browser session, and not into the answer. `end`: the cookie is
   * removed.
   */
  session?: 'begin' | 'end'
  /** Size in bytes from which JSON answers are compressed, where that is not the default. */
  compressFrom?: number
  /** The kind of result, which determines how it is sent. */
  answers?: AnswerKind
}

export interface FileRule {
  /** Largest file, in bytes. */
  maxBytes(options: LimitOptions): number
  /** Name of the form field that holds the file; when absent, a file in any field is accepted. */
  field?: string
  /** What the API says where there is no file, and where there are several. */
  missing?: string
  several?: string
}

export interface WholeBody {
  /** Media types, in lower case, without parameters. */
  types: readonly string[]
  /**
   * The parameter that such a body is the value of: a file or stream of bytes, a text, or any JSON, depending on its
   * schema.
   */
  param: string
}

/**
 * - `json`: an object, whose members are those of the JSON answer.
 * - `text`: an object with a `text`, which is sent as plain text.
 * - `bytes`: a `ServedFile`.
 * - `events`: an `EventFeed`, sent until the reader disconnects.
 * - `redirect`: a `Redirect`.
 * - `page`: a `Page`.
 * - `protocol`: a `ProtocolAnswer`.
 * - `asset`: an `Asset`.
 */
export type AnswerKind = 'json' | 'text' | 'bytes' | 'events' | 'redirect' | 'page' | 'protocol' | 'asset'

/** A file to be sent, read in pieces while it is sent. */
export interface ServedFile {
  content_type: string
  /** Bytes. */
  size: number
  /** The ETag: differs whenever the bytes differ. */
  version: string
  /** How the bytes are encoded, of a file that is there in several encodings; then the version differs between them. */
  content_encoding?: string
  /**
   * Caching: by everyone for ever, as the bytes at this address never change; by everyone for a day; only by this
   * reader.
   */
  cache: 'forever' | 'day' | 'private'
  /** Which sites may embed it: all (`everywhere`), or only our own. */
  embed?: 'everywhere' | 'same-origin'
  /** Makes browsers save it under this name instead of showing it. */
  download_as?: string
  /** The bytes from `start` up to `end`, without the one at `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
  /** Whether what is read is the reader's alone, who may free its memory once it is sent. */
  ownPieces?: boolean
}

/** Events for one reader, in batches requested by the transport. */
export interface EventFeed {
  readonly queue_id: string
  /** Id of the last event of the last batch, or where the feed starts. */
  readonly position: number
  /** The next events as JSON, waiting until there are some; undefined at the end of the feed. */
  next(): Promise<readonly FeedEvent[] | undefined>
}

export interface FeedEvent {
  readonly id: number
  readonly type: string
  readonly json: string
}

/** Sends the client elsewhere. */
export interface Redirect {
  /** A path on this server, or a whole URL that the action has checked. */
  location: string
}

/** An answer of another protocol than the API's own, which speaks in headers. */
export interface ProtocolAnswer {
  /** It was done, and there are members for JSON perhaps; something was made; or there is nothing to say. */
  outcome: 'json' | 'created' | 'empty'
  /** In lower case. */
  headers: Readonly<Record<string, string>>
  members?: object
}

/** A page for people, without script. */
export interface Page {
  status: number
  title: string
  /** Another stylesheet than that of forms. */
  style?: string
  /** What stands in it, as HTML. */
  body: string
  /** Whom the browser may be signed in as with this page, and what stands in it then. */
  signIn?: { username: string; password: string; body: string }
}

/** A file of a web page, as a whole, in the encoding that the client accepts. */
export interface Asset {
  bytes: Uint8Array
  /** The ETag, with its quotation marks: differs whenever the bytes differ. */
  etag: string
  /** In lower case, without those that follow from the other members. */
  headers: Readonly<Record<string, string>>
}

/** Schemas of results that are not JSON; their JSON parts are checked. */
export const servedFile = v.custom<ServedFile>((file) => hasMembers(file, 'content_type', 'size', 'version', 'cache'))
export const eventFeed = v.custom<EventFeed>((feed) => hasMembers(feed, 'queue_id', 'position'))
export const page = v.custom<Page>((found) => hasMembers(found, 'status', 'title', 'body'))
export const redirect = v.custom<Redirect>((target) => hasMembers(target, 'location'))
export const asset = v.custom<Asset>((file) => hasMembers(file, 'bytes', 'etag', 'headers'))
export const protocolAnswer = v.custom<ProtocolAnswer>((answer) => hasMembers(answer, 'outcome', 'headers'))

const hasMembers = (value: unknown, ...names: string[]): boolean =>
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
