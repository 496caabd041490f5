import type { ChatOptions } from './chat.ts'
import type { Caller } from './context.ts'
import type { ChatError } from './errors.ts'

/** In the `headers` of an action: what the browser's own cookie recognizes it by. No real header has a colon in its name. */
export const BROWSER_HEADER = ':browser'

/** The chat's options that limits depend on. */
export type LimitOptions = Pick<Required<ChatOptions>, 'maxEmojiFileSizeMib' | 'maxFileUploadSizeMib'>

/**
 * What the transport (the HTTP shell) must do for an action. It doesn't change what the action does, so callers in the
 * same process can ignore it.
 */
export interface Transport {
  /** For an action with an `uploadedFile`, `uploadedFiles` or a `fileStream` among its parameters. */
  file?: FileRule
  /** Bodies read as a whole, besides forms and JSON objects of parameters, which every action accepts. */
  body?: WholeBody
  /** Parameters in request headers, with each header's name in lower case. */
  headers?: Readonly<Record<string, string>>
  /** Whether these parameters are ignored in query and body, because only the browser may say them. */
  onlyInHeaders?: true
  /**
   * Where the API key is: with the email address in the Authorization header, alone in the query as `api_key`, or, for
   * `page`, only in a browser's cookie.
   */
  credentials?: 'basic' | 'query' | 'path' | 'bearer' | 'page'
  /** The rate limit for requests without an account: all requests of an address, its downloads, its emails, or none. */
  limit?: 'address' | 'files' | 'mail' | 'none'
  /** The rate limit for accounts, if it differs from the one for all their requests. Files always have their own. */
  accountLimit?: 'polls'
  /** Called with the path of a request of a known account that is rejected, also before the action can run. */
  rejected?: (caller: Caller, path: string, error: ChatError) => Promise<void>
  /** Headers of every response, including errors, in lower case. */
  answerHeaders?: Readonly<Record<string, string>>
  /**
   * `begin`: the result's `api_key` goes into the cookie of a browser session instead of the response. `prepare`: a
   * step before that. `end`: the cookie is removed. `also`: the `api_key` is in both, and a `csrftoken` cookie goes with them.
   */
  session?: 'prepare' | 'begin' | 'end' | 'also'
  /** Size in bytes from which JSON responses are compressed, if it differs from the default. */
  compressFrom?: number
  /** The kind of result, which determines how it is sent. */
  answers?: AnswerKind
}

export interface FileRule {
  /** Largest file, in bytes; of several, all together. */
  maxBytes(options: LimitOptions): number
  /** Name of the form field with the file. Without it, any field is accepted. */
  field?: string
  /** How many files the parameter takes, as a list; one if missing. */
  atMost?: number
  /** The API's messages for no file, and for several. */
  missing?: string
  several?: string
}

export interface WholeBody {
  /** Media types, in lower case, without parameters. */
  types: readonly string[]
  /**
   * The parameter whose value is the body: a file or stream of bytes, a text, or any JSON, depending on its schema.
   */
  param: string
}

/**
 * - `json`: an object with the members of the JSON response
 * - `text`: an object with a `text`, which is sent as plain text
 * - `bytes`: a `ServedFile`
 * - `events`: an `EventFeed`, sent until the reader disconnects
 * - `redirect`: a `Redirect`
 * - `page`: a `Page`
 * - `protocol`: a `ProtocolAnswer`
 * - `asset`: an `Asset`
 * - `scim`: a `ScimAnswer`, and errors in the form of RFC 7644
 */
export type AnswerKind = 'json' | 'text' | 'bytes' | 'events' | 'redirect' | 'page' | 'protocol' | 'asset' | 'scim'
