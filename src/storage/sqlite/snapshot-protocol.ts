/** What the main thread asks of the snapshot in this slot, and what snapshot-worker.js answers. */
export type Request = { readonly id: number; readonly slot: number } & (
  | { readonly what: 'begin' | 'more' | 'end' }
  | { readonly what: 'read'; readonly sql: string; readonly parameters: readonly unknown[] }
)

export interface Reply {
  readonly id: number
  readonly columns?: readonly string[]
  /** Rows as lists of values: names of columns in each would double what has to be copied. */
  readonly rows?: readonly (readonly unknown[])[]
  /** There are more rows, for the next `more`. */
  readonly more?: boolean
  readonly error?: { readonly message: string; readonly code: string | undefined }
}
