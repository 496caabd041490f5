import type { ChatOptions } from '../core/kernel/chat.ts'
import type { RoleName } from '../core/kernel/roles.ts'

/** Who is in every world: the owner iago, the members hamlet and cordelia, the guest polonius. */
export const cast = {
  hamlet: {},
  cordelia: {},
  polonius: { role: 'guest' },
} as const satisfies Record<string, PersonSeed>
export type CastName = 'iago' | keyof typeof cast

export interface PersonSeed {
  role?: RoleName
  /** A bot, owned by the organization's owner. */
  bot?: boolean
  email?: string
}

export interface StreamSeed<Name extends string = string> {
  private?: boolean
  /** Whether later subscribers see earlier messages; private streams only. */
  sharedHistory?: boolean
  /** The owner alone unless given. */
  members?: readonly Name[]
  /** What its members said, in turn, by topic: that many messages, or these. */
  topics?: Readonly<Record<string, number | readonly string[]>>
}

export interface GroupSeed<Name extends string = string> {
  members: readonly Name[]
  description?: string
  /** Groups that belong to it, named before it. */
  subgroups?: readonly string[]
}

export interface MessageSeed<Name extends string = string> {
  from: Name
  content: string
  /** Where it was sent: general and greetings unless given. */
  stream?: string
  topic?: string
  /** A direct message to these people instead. */
  to?: readonly Name[]
  /** Who reacted with which emoji. */
  reactions?: Readonly<Record<string, readonly Name[]>>
}

/** What is in a world from the start. The people of the cast are always there. */
export interface WorldSeed<Name extends string = string> {
  org?: string
  /** Names of further members, or what is special about each. */
  people?: readonly Name[] | Readonly<Record<Name, PersonSeed>>
  /** Besides general, in which all but guests are. */
  streams?: Readonly<Record<string, StreamSeed<NoInfer<Name> | CastName>>>
  /** User groups, by name: their members, or more about them. */
  groups?: Readonly<Record<string, readonly (NoInfer<Name> | CastName)[] | GroupSeed<NoInfer<Name> | CastName>>>
  /** Said in this order, after what is in the topics of `streams`. */
  messages?: readonly MessageSeed<NoInfer<Name> | CastName>[]
  chat?: Omit<ChatOptions, 'clock'>
}

/** The people of a seed by name, the owner left out. */
export function peopleOf({ people = [] }: WorldSeed): [name: string, about: PersonSeed][] {
  const given = isNames(people) ? Object.fromEntries(people.map((name) => [name, {}])) : people
  return Object.entries<PersonSeed>({ ...cast, ...given })
}
const isNames = (people: NonNullable<WorldSeed['people']>): people is readonly string[] => Array.isArray(people)
