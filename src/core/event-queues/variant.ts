/** One version of an event, for the clients that understand it. */
export interface EventVariant {
  type: string
  /** Readers with the same variant get the same text. */
  variant: string
  /** How many ids before the event's own: where one event is several to a reader, each has its id. */
  idOffset?: number
  make(): object
}
