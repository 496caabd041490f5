/** Requests of the main thread to the snapshot in a slot, and the answers of snapshot-worker.js. */
export type Request = { readonly id: number; readonly slot: number } & (
  | { readonly what: 'begin' | 'more' | 'end' }
  | { readonly what: 'read'; readonly sql: string; readonly parameters: readonly unknown[] }
)

export interface Reply {
  readonly id: number
  readonly columns?: readonly string[]
  /** Rows as lists of values: column names in each would double the amount of data to copy. */
  readonly rows?: readonly (readonly unknown[])[]
  /** There are more rows, for the next `more`. */
  readonly more?: boolean
  readonly error?: { readonly message: string; readonly code: string | undefined }
}
