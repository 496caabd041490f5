import type { ChatOptions } from '../core/kernel/chat.ts'
import type { RoleName } from '../core/kernel/roles.ts'

/** The people in every world: the owner iago, the members hamlet and cordelia, the guest polonius. */
export const cast = {
  hamlet: {},
  cordelia: {},
  polonius: { role: 'guest' },
} as const satisfies Record<string, PersonSeed>
export type CastName = 'iago' | keyof typeof cast

export interface PersonSeed {
  role?: RoleName
  /** Whether it is a bot, owned by the organization's owner. */
  bot?: boolean
  email?: string
}

export interface StreamSeed<Name extends string = string> {
  private?: boolean
  /** Whether later subscribers see earlier messages; private streams only. */
  sharedHistory?: boolean
  /** By default only the owner. */
  members?: readonly Name[]
  /** By topic, what its members said in turn: a number of messages, or their texts. */
  topics?: Readonly<Record<string, number | readonly string[]>>
}

export interface GroupSeed<Name extends string = string> {
  members: readonly Name[]
  description?: string
  /** Subgroups, named before this group. */
  subgroups?: readonly string[]
}

export interface MessageSeed<Name extends string = string> {
  from: Name
  content: string
  /** The stream; general by default, with the topic greetings. */
  stream?: string
  topic?: string
  /** Sends a direct message to these people instead. */
  to?: readonly Name[]
  /** Users who reacted, by emoji. */
  reactions?: Readonly<Record<string, readonly Name[]>>
}

/** The initial content of a world. It always includes the people of the cast. */
export interface WorldSeed<Name extends string = string> {
  org?: string
  /** Names of more members, or their properties by name. */
  people?: readonly Name[] | Readonly<Record<Name, PersonSeed>>
  /** Streams besides general, which all but guests are subscribed to. */
  streams?: Readonly<Record<string, StreamSeed<NoInfer<Name> | CastName>>>
  /** User groups by name, with their members or more about them. */
  groups?: Readonly<Record<string, readonly (NoInfer<Name> | CastName)[] | GroupSeed<NoInfer<Name> | CastName>>>
  /** Sent in this order, after the messages in the topics of `streams`. */
  messages?: readonly MessageSeed<NoInfer<Name> | CastName>[]
  chat?: Omit<ChatOptions, 'clock'>
}

/** Returns the people of a seed by name, without the owner. */
export function peopleOf({ people = [] }: WorldSeed): [name: string, about: PersonSeed][] {
  const given = isNames(people) ? Object.fromEntries(people.map((name) => [name, {}])) : people
  return Object.entries<PersonSeed>({ ...cast, ...given })
}
const isNames = (people: NonNullable<WorldSeed['people']>): people is readonly string[] => Array.isArray(people)
