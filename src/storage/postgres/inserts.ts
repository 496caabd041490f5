/** Rows of one kind to send while the transaction is running, so that the database starts early. A power of two. */
const MOST_ROWS = 32

/** An insert of one row that returns nothing. */
const INSERT = /^(insert into "\w+" \([\w", ]+\) values )(\((?:\$\d+|null|\d+)(?:, (?:\$\d+|null|\d+))*\))$/

/** The table and columns that inserts of one kind share. */
export interface Kind {
  readonly head: string
  readonly row: string
  /** Statements by number of rows. */
  readonly texts: Map<number, string>
}

/** Rows of one kind. */
interface Collected {
  readonly kind: Kind
  rows: number
  values: unknown[]
}

/** An insert of one row. */
export interface Row {
  readonly kind: Kind
  readonly values: readonly unknown[]
}

/** A statement for one or more rows. */
export interface Change {
  readonly text: string
  readonly values: unknown[]
}

/**
 * The inserts of a transaction whose results aren't awaited. Inserts of one kind become few statements with many rows.
 * Tables are in the order of their first rows. A row that refers to one that is sent later fails like any statement
 * that isn't awaited. The writes then run again, one statement at a time.
 */
export interface Inserts {
  /** Takes an insert of one row. Returns false for other statements. */
  take(sql: string, values: readonly unknown[]): boolean
  /** Sends the collected inserts. Call it before any other statement. */
  flush(): void
}

/** Kinds by the texts of their statements. There are few. */
const kinds = new Map<string, Kind | undefined>()

/** @param mayTake - which inserts it takes; all by default */
export function collectInserts(
  send: (changes: readonly Change[]) => void,
  mayTake: (sql: string) => boolean = () => true,
): Inserts {
  let collected: Collected[] = []

  function flush(): void {
    if (collected.length === 0) return
    const changes = collected.flatMap(statementsOf)
    collected = []
    send(changes)
  }

  return {
    take(sql, values) {
      const kind = mayTake(sql) ? kindOf(sql) : undefined
      if (!kind) return false
      if (addTo(collected, { kind, values }) === MOST_ROWS) flush()
      return true
    },
    flush,
  }
}

/** Returns how many rows of its kind there are now. */
function addTo(collected: Collected[], { kind, values }: Row): number {
  let same = collected.find((each) => each.kind === kind)
  if (!same) {
    same = { kind, rows: 0, values: [] }
    collected.push(same)
  }
  same.values.push(...values)
  return ++same.rows
}

/** Returns few statements that insert all rows. */
export function inFewStatements(rows: readonly Row[]): Change[] {
  const collected: Collected[] = []
  for (const row of rows) addTo(collected, row)
  return collected.flatMap(statementsOf)
}

function statementsOf({ kind, rows, values }: Collected): Change[] {
  const width = values.length / rows
  const changes: Change[] = []
  for (let at = 0; at < rows; ) {
    const size = 2 ** Math.floor(Math.log2(rows - at))
    changes.push({ text: textOf(kind, size, width), values: values.slice(at * width, (at + size) * width) })
    at += size
  }
  return changes
}

/** Returns the kind of an insert of one row that returns nothing; undefined for other statements. */
export function kindOf(sql: string): Kind | undefined {
  if (kinds.has(sql)) return kinds.get(sql)
  const [, head, row] = INSERT.exec(sql) ?? []
  const kind = head && row ? { head, row, texts: new Map<number, string>() } : undefined
  kinds.set(sql, kind)
  return kind
}

/** Only for powers of two: the server plans each text once, so there must be few. */
function textOf({ head, row, texts }: Kind, rows: number, width: number): string {
  const known = texts.get(rows)
  if (known) return known
  const shifted = (by: number) => row.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + by * width}`)
  const text = head + Array.from({ length: rows }, (_, i) => shifted(i)).join(', ')
  texts.set(rows, text)
  return text
}
