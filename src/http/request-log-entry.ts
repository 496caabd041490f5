/** One answered request, for an access log. It contains no secrets and no texts of users. */
export interface RequestLogEntry {
  /** When the answer was complete: milliseconds since 1970. */
  time: number
  method: string
  /** Path and query; long parts of the path, and what of the query is no number, true or false, are shown as `…`. */
  path: string
  status: number
  /** From the request's headers to the end of the answer, in milliseconds. */
  ms: number
  /** Bytes of the answer's body. */
  bytes: number
  user_id: number | undefined
  /** The client's address; undefined for a request without a socket. */
  address: string | undefined
  request_id: string
}
