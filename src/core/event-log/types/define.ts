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
type ByOp<Schemas> = v.VariantSchema<'op', VariantOptions<Schemas>, undefined>
type VariantOptions<Schemas> = Schemas[keyof Schemas] extends infer S extends v.StrictObjectSchema<
  { op: v.GenericSchema<string> } & Entries,
  undefined
>
  ? S[]
  : never

/** How an event takes its place in the log. */
interface InLog<L extends v.GenericSchema> {
  /**
   * How many ids of the log it takes; one unless said. Clients that get one event as several need an id for each, and
   * those ids come before the event's own.
   */
  ids?(event: v.InferOutput<L>): number
}

/** An event of one shape. `read` has what its readers get where that is not what the log keeps. */
export function event<const T extends string, E extends Entries, R extends Entries = E>(
  type: T,
  entries: E,
  options: InLog<Logged<T, E>> & { read?: R } = {},
) {
  const { read = entries as unknown as R, ids } = options
  return {
    logged: v.strictObject({ type: v.literal(type), ...entries }) as Logged<T, E>,
    ...olderEvent(type, read),
    ...(ids && { ids }),
  }
}

/** An event whose shape depends on `op`. */
export function eventByOp<const T extends string, const L extends Ops, const R extends Ops = L>(
  type: T,
  ops: L,
  options: InLog<ByOp<{ [O in keyof L & string]: Logged<T, Op<O, L[O]>> }>> & { read?: R } = {},
) {
  const { read = ops as unknown as R, ids } = options
  // Each option is made of the entries under its op: what the mapped types say, and no cast can be spared.
  const schema = (own: Entries, of: Ops) =>
    v.variant(
      'op',
      Object.entries(of).map(([op, entries]) =>
        v.strictObject({ ...own, type: v.literal(type), op: v.literal(op), ...entries }),
      ),
    ) as unknown
  return {
    logged: schema({}, ops) as ByOp<{ [O in keyof L & string]: Logged<T, Op<O, L[O]>> }>,
    read: schema({ id }, read) as ByOp<{ [O in keyof R & string]: Read<T, Op<O, R[O]>> }>,
    ...(ids && { ids }),
  }
}

/** What older clients get in place of another event or beside it: it is never logged. */
export const olderEvent = <const T extends string, E extends Entries>(type: T, entries: E) => ({
  read: v.strictObject({ id, type: v.literal(type), ...entries }) as Read<T, E>,
})
