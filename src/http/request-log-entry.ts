/** One answered request, for an access log. It contains no secrets and no text of users. */
export interface RequestLogEntry {
  /** When the response was complete, in milliseconds since 1970. */
  time: number
  method: string
  /** Path and query. Long path segments, and query values other than numbers and booleans, are shown as `…`. */
  path: string
  status: number
  /** From the request's headers to the end of the response, in milliseconds. */
  ms: number
  /** Bytes of the response's body. */
  bytes: number
  user_id: number | undefined
  /** The client's address; undefined for a request without a socket. */
  address: string | undefined
  request_id: string
}
