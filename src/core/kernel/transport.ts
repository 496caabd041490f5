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
