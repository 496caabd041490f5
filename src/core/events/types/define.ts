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

/** How an event is stored in the log. */
interface InLog<L extends v.GenericSchema> {
  /**
   * How many ids it takes; 1 by default. Clients that get one event as several need an id for each, and those
   * ids come before the event's own.
   */
  ids?(event: v.InferOutput<L>): number
  /** It is not stored and reaches only those who are reading now: a client that was away fetches the state. */
  transient?: true
}

/** A type of event that is logged. */
export interface EventDefinition<L extends v.GenericSchema, R extends v.GenericSchema> extends InLog<L> {
  /** As `emit` takes it and the log keeps it. */
  logged: L
  /** As readers get it. */
  read: R
}

// Without `read` R is the type of the logged entries, by its default; inside, the compiler knows no more than that R is some.

/** An event of one shape. `read` is the shape that readers get where it differs from the logged one. */
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
  // Each variant consists of the entries under its op. The mapped types say so, but the compiler cannot verify it.
  return {
    logged: schema({}, ops) as LoggedByOp<T, L>,
    read: schema({ id }, read) as ReadByOp<T, R>,
    ...inLog,
  }
}

/** An event that older clients get instead of another or in addition to it: it is never logged. */
export const olderEvent = <const T extends string, E extends Entries>(type: T, entries: E): { read: Read<T, E> } => ({
  read: v.strictObject({ id, type: v.literal(type), ...entries }),
})
