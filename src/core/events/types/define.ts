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
   * How many ids it takes; 1 by default. Clients that get one event as several need an id for each, before the event's
   * own.
   */
  ids?(event: v.InferOutput<L>): number
  /** Whether it isn't stored and reaches only current readers. Other clients fetch the state later. */
  transient?: true
}

/** A type of event that is logged. */
export interface EventDefinition<L extends v.GenericSchema, R extends v.GenericSchema> extends InLog<L> {
  /** The shape for `emit` and the log. */
  logged: L
  /** The shape for readers. */
  read: R
}

// Without `read`, the default of R is the type of the logged entries. Inside, TypeScript only knows that R is some
// type.

/** Defines an event of one shape. `read` is the shape for readers if it differs from the logged one. */
export function event<const T extends string, E extends Entries, R extends Entries = E>(
  type: T,
  entries: E,
  { read = entries as unknown as R, ...inLog }: InLog<Logged<T, E>> & { read?: R } = {},
): EventDefinition<Logged<T, E>, Read<T, R>> {
  return { logged: v.strictObject({ type: v.literal(type), ...entries }), ...olderEvent(type, read), ...inLog }
}

/** Defines an event whose shape depends on `op`. */
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
  // Each variant has the entries of its op. The mapped types express that, but TypeScript can't verify it.
  return {
    logged: schema({}, ops) as LoggedByOp<T, L>,
    read: schema({ id }, read) as ReadByOp<T, R>,
    ...inLog,
  }
}

/** Defines an event that older clients get instead of another or in addition to it. It is never logged. */
export const olderEvent = <const T extends string, E extends Entries>(type: T, entries: E): { read: Read<T, E> } => ({
  read: v.strictObject({ id, type: v.literal(type), ...entries }),
})
