import type { ChatError, ErrorCode } from '../../../src/client/index.ts'
import { locale } from '../../model/state/language.ts'
import { wording } from '../../model/state/wording.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { inWords } from './durations.ts'
import { inGeneral } from './general-words.ts'

const { signIn, refusals } = pieceTexts
const { tooLargeFor, ...problems } = pieceTexts.problems

/** The server's own sentence says more in English, or no one meets this error in the page. Other languages have its kind. */
const asSent = undefined

/** What the page says instead of the server's sentence, which is English. A new code doesn't compile without a line. */
const byCode: Readonly<Record<ErrorCode, string | undefined>> = {
  ...problems,
  STREAM_DOES_NOT_EXIST: texts.compose.noSuchChannel,
  ADMIN_ACTION_REQUIRED: problems.UNAUTHORIZED_PRINCIPAL,
  INVALID_API_KEY: problems.UNAUTHORIZED,
  USER_DEACTIVATED: signIn.deactivated,
  REALM_DEACTIVATED: signIn.closed,
  BAD_REQUEST: asSent,
  AUTHENTICATION_FAILED: asSent,
  REQUEST_VARIABLE_MISSING: asSent,
  REQUEST_CONFUSING_VAR: asSent,
  INVALID_JSON: asSent,
  BAD_NARROW: asSent,
  BAD_EVENT_QUEUE_ID: asSent,
  EXPECTATION_MISMATCH: asSent,
  CANNOT_DEACTIVATE_GROUP_IN_USE: refusals.groupInUse,
  BAD_PASSWORD_LINK: asSent,
  BAD_EMAIL_LINK: asSent,
  BAD_SET_UP_LINK: asSent,
  SIGN_ON_FAILED: asSent,
  INVITATION_FAILED: asSent,
  INVALID_PUSH_DEVICE_TOKEN: asSent,
  PUSH_SERVICE_NOT_CONFIGURED: asSent,
  NO_ACTIVE_PUSH_DEVICE: asSent,
  BAD_INVITATION: asSent,
  IDEMPOTENCY_KEY_REUSED: asSent,
  HEADERS_TOO_LARGE: asSent,
  EXPECTATION_FAILED: asSent,
  UNREADABLE_BODY: asSent,
  NOT_FOUND: asSent,
  SECOND_FACTOR_REQUIRED: asSent,
  INSUFFICIENT_SCOPE: asSent,
  SILENCED: asSent,
  SLOW_MODE: asSent,
  TERMS_NOT_ACCEPTED: asSent,
  MESSAGE_HELD: asSent,
  FAILED_TO_CONNECT_BOUNCER: asSent,
  INTERNAL_SERVER_ERROR_ON_BOUNCER: asSent,
  RANGE_NOT_SATISFIABLE: asSent,
  METHOD_NOT_ALLOWED: asSent,
}

type Wording = string | ((match: RegExpExecArray) => string)

/** Sentences of the general code that people meet, as the Zulip API has them. */
const bySentence: readonly (readonly [RegExp, Wording])[] = [
  [/^Invalid message\(s\)$/, texts.problems.messageGone],
  [/^Invalid stream ID$/, texts.compose.noSuchChannel],
  [/^Insufficient permission$/, problems.UNAUTHORIZED_PRINCIPAL],
  [/^You do not have permission to post in this stream\.$/, texts.compose.mayNotPost],
  [/^You do not have permission to create new topics/, refusals.newTopic],
  [/^Only the general chat topic is allowed/, texts.compose.onlyGeneralChat],
  [/^Sending messages to the general chat is not allowed/, texts.compose.topicRequired],
  [/^You are not allowed to mention user group '(.*)'\.$/s, ([, name]) => refusals.mention(name!)],
  [/^'(.*)' is deactivated and receives no messages\.$/s, ([, name]) => texts.compose.deactivatedRecipient(name!)],
  [/^Direct messages are disabled|^This conversation does not include any users|initiate direct/, refusals.direct],
  [/^You have blocked this person\./, refusals.blocked],
  [/^Message is too long:|^Submessage is too long$/, problems.TOO_LARGE],
  [/^Too many of your messages wait/, refusals.tooManyHeld],
  [/^Your text contains something that isn't allowed here\. Change it, or ask a moderator\.$/, refusals.filtered],
  [/ delivery time must be in the future\.$|^Time must be in the future\.$/, refusals.past],
  [/^You don't have permission to edit this message$|turned off message editing$/, texts.message.mayNotEdit],
  [/^The time limit for editing this message has passed$/, texts.message.mayNotEdit],
  [/^You don't have permission to move this message$/, texts.message.mayNotMove],
  [/^The time limit for editing this message's /, problems.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED],
  [/^The time limit for deleting this message has passed$/, refusals.deleteTooLate],
  [/^You don't have permission to (?:delete this message|resolve topics)\b/, problems.UNAUTHORIZED_PRINCIPAL],
]

const timeOf = (seconds: number): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'long', timeStyle: 'short' }).format(seconds * 1000)

/** Sentences with a value of their error. */
const byData: Partial<Record<ErrorCode, (error: ChatError) => string | undefined>> = {
  TOO_LARGE: ({ message }) => {
    const limit = /\d+ \wi?B\b/.exec(message)?.[0]
    return limit && tooLargeFor(limit)
  },
  SLOW_MODE: ({ data }) => pieceTexts.slowMode.wait(inWords(Number(data.retry_after))),
  SILENCED: ({ data, message }) =>
    refusals.silenced(timeOf(Number(data.until)), /Reason: (.*)/s.exec(message)?.[1] ?? ''),
}

function ofSentence(message: string): string | undefined {
  for (const [sentence, words] of bySentence) {
    const match = sentence.exec(message)
    if (match) return typeof words === 'string' ? words : words(match)
  }
  return undefined
}

wording.of = (error: ChatError) =>
  byData[error.code]?.(error) ?? byCode[error.code] ?? ofSentence(error.message) ?? inGeneral(error.message, error.code)
