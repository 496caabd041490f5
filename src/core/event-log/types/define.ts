import * as v from 'valibot'
import { id } from '../../shapes/values.ts'

type Entries = v.ObjectEntries
type Ops = Readonly<Record<string, Entries>>
type Logged<T extends string, E extends Entries> = v.StrictObjectSchema<
  { type: v.LiteralSchema<T, undefined> } & E,
  undefined
>
type Read<T extends string, E extends Entries> = v.StrictObjectSchema<
  { id: typeof id; type: v.LiteralSchema<T, undefined> } & E,
  undefined
>
type Op<O extends string, E extends Entries> = { op: v.LiteralSchema<O, undefined> } & E
type Options<Schemas> = Schemas[keyof Schemas] extends infer S extends v.StrictObjectSchema<
  { op: v.GenericSchema<string> } & Entries,
  undefined
>
  ? S[]
  : never
type ByOp<Schemas> = v.VariantSchema<'op', Options<Schemas>, undefined>
type LoggedByOp<T extends string, L extends Ops> = ByOp<{ [O in keyof L & string]: Logged<T, Op<O, L[O]>> }>
type ReadByOp<T extends string, R extends Ops> = ByOp<{ [O in keyof R & string]: Read<T, Op<O, R[O]>> }>

/** How an event takes its place in the log. */
interface InLog<L extends v.GenericSchema> {
  /**
   * How many ids of the log it takes; one unless said. Clients that get one event as several need an id for each, and
   * those ids come before the event's own.
   */
  ids?(event: v.InferOutput<L>): number
  /** It reaches whoever reads now and is not stored: a client that was away asks for the state. */
  passing?: true
}

/** A type of event that is logged. */
export interface EventDefinition<L extends v.GenericSchema, R extends v.GenericSchema> extends InLog<L> {
  /** As `emit` takes it and the log keeps it. */
  logged: L
  /** As readers get it. */
  read: R
}

/** An event of one shape. `read` has what its readers get where that is not what the log keeps. */
export function event<const T extends string, E extends Entries, R extends Entries = E>(
  type: T,
  entries: E,
  { read = entries as unknown as R, ...inLog }: InLog<Logged<T, E>> & { read?: R } = {},
): EventDefinition<Logged<T, E>, Read<T, R>> {
  return { logged: v.strictObject({ type: v.literal(type), ...entries }), ...olderEvent(type, read), ...inLog }
}

/** An event whose shape depends on `op`. */
export function eventByOp<const T extends string, const L extends Ops, const R extends Ops = L>(
  type: T,
  ops: L,
  { read = ops as unknown as R, ...inLog }: InLog<LoggedByOp<T, L>> & { read?: R } = {},
): EventDefinition<LoggedByOp<T, L>, ReadByOp<T, R>> {
  const schema = (own: Entries, of: Ops) =>
    v.variant(
      'op',
      Object.entries(of).map(([op, entries]) =>
        v.strictObject({ ...own, type: v.literal(type), op: v.literal(op), ...entries }),
      ),
    ) as unknown
  // Each option is made of the entries under its op: what the mapped types say, and the compiler cannot follow.
  return {
    logged: schema({}, ops) as LoggedByOp<T, L>,
    read: schema({ id }, read) as ReadByOp<T, R>,
    ...inLog,
  }
}

/** What older clients get in place of another event or beside it: it is never logged. */
export const olderEvent = <const T extends string, E extends Entries>(type: T, entries: E): { read: Read<T, E> } => ({
  read: v.strictObject({ id, type: v.literal(type), ...entries }),
})
