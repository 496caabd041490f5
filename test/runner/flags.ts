import { parseArgs } from 'node:util'

/** A set of tests with its own way to run: on SQLite, in a browser, or on PostgreSQL. */
export type Suite = 'sqlite' | 'browser' | 'postgres'

/** What to run, from the command line. */
export interface Flags {
  /** Empty for `npm test`: SQLite and the browser smoke test. */
  readonly suites: readonly Suite[]
  /** Parts of paths to run; all files if empty. */
  readonly wanted: readonly string[]
  readonly leftOut: readonly string[]
  /** Runs the full form of long tests. */
  readonly full: boolean
  /** Runs only one part of several, as `2/3`. */
  readonly shard: { readonly part: number; readonly of: number }
  /** Where the tests on SQLite write their coverage. */
  readonly coverage: string | undefined
  /** Writes how long each file took to test/durations.json. */
  readonly record: boolean
  /** Further options for Node, such as --test-name-pattern=… */
  readonly node: readonly string[]
}

const own = {
  sqlite: { type: 'boolean' },
  browser: { type: 'boolean' },
  postgres: { type: 'boolean' },
  all: { type: 'boolean' },
  full: { type: 'boolean' },
  shard: { type: 'string', default: '1/1' },
  coverage: { type: 'string' },
  record: { type: 'boolean' },
} as const

/** Reads the command line. Throws for a shard that is not one of its parts. */
export function readFlags(args: readonly string[]): Flags {
  const isOwn = (arg: string) => Object.keys(own).some((name) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  const isNode = (arg: string) => arg.startsWith('-') && !isOwn(arg)
  const { values, positionals } = parseArgs({
    args: args.filter((arg) => !isNode(arg)),
    options: own,
    allowPositionals: true,
  })
  const [part = 0, of = 0] = values.shard.split('/').map(Number)
  if (!(part >= 1 && part <= of))
    throw new Error(`--shard is a part of a number of parts, such as 2/3, not ${values.shard}`)
  const all: readonly Suite[] = ['sqlite', 'browser', 'postgres']
  return {
    suites: all.filter((suite) => values.all || values[suite]),
    wanted: positionals.filter((arg) => !arg.startsWith('!')),
    leftOut: positionals.filter((arg) => arg.startsWith('!')).map((arg) => arg.slice(1)),
    full: values.all || values.full || process.env.TEST_FULL === '1',
    shard: { part, of },
    coverage: values.coverage,
    record: values.record ?? false,
    node: args.filter(isNode),
  }
}
