/** One answered request, for an access log. It holds no secret and nothing that people wrote. */
export interface RequestLogEntry {
  /** When the answer was complete: milliseconds since 1970. */
  time: number
  method: string
  /** Path and query; of the query only numbers, true and false are kept. */
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
