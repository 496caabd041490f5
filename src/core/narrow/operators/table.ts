import * as v from 'valibot'
import type { Caller } from '../../kernel/context.ts'
import { integer, text } from '../../kernel/fields.ts'
import { hasOperands, isOperands } from './flags.ts'
import { isAtHome } from './mutes.ts'
import { always, type Predicate } from './predicate.ts'
import { containing } from './search.ts'
import { inStream, inStreamsOfKind, inTopic } from './streams.ts'
import { badNarrow, type Operand, operand } from './terms.ts'
import { directIncluding, directWith, mentioning, sentBy } from './users.ts'

interface Operator {
  operand: v.GenericSchema<Operand, Operand>
  /** Resolves the operand. Throws BAD_NARROW for one that does not fit. */
  compile(caller: Caller, operand: Operand): Predicate | Promise<Predicate>
}

const one = v.union([text, integer])

const channel: Operator = { operand: one, compile: inStream }
const channels: Operator = { operand: text, compile: inStreamsOfKind }
const topic: Operator = { operand: one, compile: inTopic }
const dm: Operator = { operand, compile: directWith }
const sender: Operator = { operand: one, compile: sentBy }

/** A message's id, as a number or in digits. */
export function messageId(requested: Operand): number {
  const id = typeof requested === 'string' && /^\d{1,16}$/.test(requested.trim()) ? Number(requested) : requested
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) throw badNarrow('invalid message ID')
  return id
}

function byId(_caller: Caller, requested: Operand): Predicate {
  const id = messageId(requested)
  return {
    sql: (row) => row('message.id', '=', id),
    matches: (message) => message.id === id,
    sources: [{ by: 'id', ids: [id] }],
    operand: id,
  }
}

/** Says where to look, not what for: the anchor does that. */
function nearId(_caller: Caller, requested: Operand): Predicate {
  messageId(requested)
  return always
}

const words =
  <T>(
    operator: string,
    operands: Readonly<Record<string, T>>,
    compile: (caller: Caller, value: T) => Predicate | Promise<Predicate>,
  ) =>
  (caller: Caller, requested: Operand): Predicate | Promise<Predicate> => {
    if (typeof requested !== 'string' || !Object.hasOwn(operands, requested)) {
      throw badNarrow(`unknown '${operator}' operand ${requested}`)
    }
    return compile(caller, operands[requested]!)
  }

/** Every operator there is. Each makes the SQL condition and the predicate in memory together. */
export const operators: Readonly<Record<string, Operator>> = {
  channel,
  stream: channel,
  channels,
  streams: channels,
  topic,
  subject: topic,
  dm,
  'pm-with': dm,
  'dm-including': { operand, compile: (caller, people) => directIncluding(caller, people, false) },
  'group-pm-with': { operand, compile: (caller, people) => directIncluding(caller, people, true) },
  sender,
  from: sender,
  mentions: { operand: one, compile: mentioning },
  id: { operand: one, compile: byId },
  // Says where to look, not what for: the anchor does that.
  near: { operand: one, compile: nearId },
  is: { operand: text, compile: words('is', isOperands, (caller, value) => value(caller)) },
  has: { operand: text, compile: words('has', hasOperands, (_caller, value) => value) },
  in: {
    operand: text,
    compile: words('in', { home: isAtHome, all: () => always }, (caller, value) => value(caller)),
  },
  search: { operand: one, compile: containing },
}

/** Operators that clients send under two names. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['pm-with', 'dm'],
  ['from', 'sender'],
])
export const isOperator = (name: string): boolean => name === 'with' || Object.hasOwn(operators, name)
export const canonicalName = (operator: string): string => aliases.get(operator) ?? operator
