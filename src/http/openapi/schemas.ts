import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { chatEvent, eventTypes } from '../../core/events/types/table.ts'
import { customEmojiShape } from '../../core/shapes/emoji.ts'
import { groupSettingValue, groupShape } from '../../core/shapes/group.ts'
import {
  directMessageShape,
  messageShape,
  messageSnapshotShape,
  reactionShape,
  scheduledMessageShape,
  sentMessageShape,
  streamMessageShape,
} from '../../core/shapes/message.ts'
import { neverSubscribedShape, streamShape, subscriptionShape, userTopicShape } from '../../core/shapes/stream.ts'
import { unreadMessagesShape } from '../../core/shapes/unread.ts'
import { botShape, profileFieldShape, userShape, userStatusShape } from '../../core/shapes/user.ts'
import type { AnySchema, SchemaParts } from '../schema-kinds.ts'

/** Returns the name of an event's schema: `UserGroupEvent` for `user_group`. */
const eventName = (type: string): string =>
  `${type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

/** Shapes with a name in the document. Code generators make a type of each. */
const named: Readonly<Record<string, v.GenericSchema>> = {
  Message: messageShape,
  StreamMessage: streamMessageShape,
  DirectMessage: directMessageShape,
  SentMessage: sentMessageShape,
  MessageSnapshot: messageSnapshotShape,
  Reaction: reactionShape,
  ScheduledMessage: scheduledMessageShape,
  UnreadMessages: unreadMessagesShape,
  Stream: streamShape,
  Subscription: subscriptionShape,
  NeverSubscribed: neverSubscribedShape,
  UserTopic: userTopicShape,
  User: userShape,
  Bot: botShape,
  UserStatus: userStatusShape,
  ProfileField: profileFieldShape,
  UserGroup: groupShape,
  GroupSettingValue: groupSettingValue,
  CustomEmoji: customEmojiShape,
  Event: chatEvent,
  ...Object.fromEntries(Object.entries(eventTypes).map(([type, { read }]) => [eventName(type), read])),
}

const nameOf = new Map<v.GenericSchema, string>(Object.entries(named).map(([name, schema]) => [schema, name]))

/**
 * Returns the JSON schema of a shape. Named shapes become references, except for the shape itself.
 * @NOTE valibot's own `definitions` would convert all of them at each call
 */
function convert(root: AnySchema, isDefinition: boolean): JsonSchema {
  const { $schema, ...json } = toJsonSchema(root, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    overrideSchema({ valibotSchema, jsonSchema }) {
      const name = nameOf.get(valibotSchema)
      if (name !== undefined && !(isDefinition && valibotSchema === root)) {
        return { $ref: `#/components/schemas/${name}` }
      }
      // Code generators treat a member with a default as always present.
      const { default: _, additionalProperties, ...rest } = jsonSchema
      // Tests require that responses have no other members. Clients should accept them, since later servers may add
      // some.
      return valibotSchema.type === 'strict_object'
        ? rest
        : { ...rest, ...(additionalProperties && { additionalProperties }) }
    },
  })
  return json
}

export const jsonSchemaOf = (schema: AnySchema): JsonSchema => convert(schema, false)

export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, convert(schema, true)]))

/** Returns the JSON schema of a parameter's value. Whether it is required is stated separately. */
export function parameterSchema(schema: AnySchema): JsonSchema {
  const { type, wrapped, default: initial }: SchemaParts = schema
  const description = v.getDescription(schema)
  const json =
    /^(nullish|optional|exact_optional)$/.test(type) && wrapped ? jsonSchemaOf(wrapped) : jsonSchemaOf(schema)
  const unlessGiven = /^(string|number|boolean)$/.test(typeof initial) ? ` Default: ${JSON.stringify(initial)}.` : ''
  return { ...json, ...(description !== undefined && { description: description + unlessGiven }) }
}
