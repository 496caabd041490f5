/** Requests of the main thread to the snapshot in a slot, and the responses of snapshot-worker.js. */
export type Request = { readonly id: number; readonly slot: number } & (
  | { readonly what: 'begin' | 'more' | 'end' }
  | { readonly what: 'read'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly what: 'backup'; readonly target: string }
)

export interface Reply {
  readonly id: number
  readonly columns?: readonly string[]
  /** Rows as lists of values. Column names in each row would double the data to copy. */
  readonly rows?: readonly (readonly unknown[])[]
  /** Whether there are more rows, for the next `more`. */
  readonly more?: boolean
  readonly error?: { readonly message: string; readonly code: string | undefined }
}
