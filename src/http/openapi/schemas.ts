import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { chatEvent, eventTypes } from '../../core/event-log/types/table.ts'
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
import type { AnySchema } from '../schema-kinds.ts'

/** `user_group` is `UserGroupEvent`. */
const eventName = (type: string): string =>
  `${type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

/** Shapes that have a name in the document: generators make a type of each. */
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

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  definitions: named as ConversionConfig['definitions'] & object,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  // Tests demand that answers have no other members; clients should not, as later servers may add some.
  overrideSchema({ valibotSchema, jsonSchema }) {
    if (valibotSchema.type !== 'strict_object') return undefined
    const { additionalProperties, ...open } = jsonSchema
    return open
  },
}

/** The JSON schema of a shape; those with a name are references. */
export function jsonSchemaOf(schema: AnySchema): JsonSchema {
  const { $schema, $defs, ...json } = toJsonSchema(schema, config)
  return json
}

export const namedSchemas = (): Record<string, JsonSchema> => toJsonSchemaDefs(named as never, config)

interface Wrapper {
  type: string
  wrapped?: AnySchema
  default?: unknown
}

/** The JSON schema of a parameter that is given: that it may be absent is said beside it. */
export function parameterSchema(schema: AnySchema): JsonSchema {
  const { type, wrapped, default: initial } = schema as unknown as Wrapper
  const description = v.getDescription(schema)
  const json =
    /^(nullish|optional|exact_optional)$/.test(type) && wrapped ? jsonSchemaOf(wrapped) : jsonSchemaOf(schema)
  return {
    ...json,
    ...(description !== undefined && { description }),
    ...(isPlain(initial) && { default: initial }),
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
